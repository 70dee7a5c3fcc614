/** Measures the bytes on disk of each table, of its long values, and of each of its indexes. */
import { connectPostgres } from '@carecover/postgres';
import { formatTable, printJson } from '../harness/report';

/**
 * The tables whose rows a sweep deletes, by default 30 days after the event was received. The rows of all other tables are kept forever.
 */
const DELETED = ['webhooks.events', 'webhooks.deliveries', 'webhooks.attempts'];

interface Part {
  readonly table: string;
  /** The measured part of the table: `rows`, `long values`, or the name of an index. */
  readonly part: string;
  readonly bytes: number;
}

interface Account {
  readonly claims: number;
  readonly parts: readonly Part[];
}

/** Reads the size of each part of each table. The sizes of the partitions of a table are added up. */
export async function readDiskAccount(databaseUrl: string): Promise<Account> {
  const sql = connectPostgres(databaseUrl, 1, 'bench-disk');
  try {
    const parts = await sql<Part[]>`
      with kept as (
        select c.oid, c.reltoastrelid, coalesce(pg_partition_root(c.oid), c.oid::regclass) as root
        from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where c.relkind = 'r' and c.relname not like '%migrations' and n.nspname in ('care', 'benefits', 'claims', 'payments', 'webhooks')
      ),
      part as (
        select root, 'rows' as part, pg_table_size(oid) - coalesce(pg_total_relation_size(nullif(reltoastrelid, 0)), 0) as bytes
        from kept
        union all
        select root, 'long values', pg_total_relation_size(reltoastrelid) from kept where reltoastrelid <> 0
        union all
        select kept.root, named.relname, pg_relation_size(i.indexrelid)
        from kept join pg_index i on i.indrelid = kept.oid
        join pg_class named on named.oid = coalesce(pg_partition_root(i.indexrelid), i.indexrelid::regclass)
      )
      select n.nspname || '.' || c.relname as table, part.part, sum(part.bytes)::bigint as bytes
      from part join pg_class c on c.oid = part.root join pg_namespace n on n.oid = c.relnamespace
      group by 1, 2 order by 1, (part.part = 'rows') desc, 3 desc`;
    const [counted] = await sql<{ claims: number }[]>`select count(*) as claims from claims.claims`;
    return { claims: counted?.claims ?? 0, parts };
  } finally {
    await sql.end();
  }
}

/** Parts of tables with less than this share of all bytes are not printed. */
const SMALL = 0.001;

/** Prints the bytes on disk per claim, for each table and its parts. */
export function printDiskAccount({ claims, parts }: Account): void {
  const perClaim = (bytes: number) => Math.round(bytes / claims);
  const sum = (own: readonly Part[]) => own.reduce((total, { bytes }) => total + bytes, 0);
  const isLarge = (bytes: number) => bytes >= SMALL * sum(parts);
  const tables = [...new Set(parts.map(({ table }) => table))]
    .map((table) => ({ table, parts: parts.filter((part) => part.table === table) }))
    .map((each) => ({ ...each, bytes: sum(each.parts) }))
    .filter(({ bytes }) => isLarge(bytes))
    .sort((a, b) => b.bytes - a.bytes);
  const rows = tables.flatMap((each) => [
    [each.table, String(perClaim(each.bytes))],
    ...each.parts
      .filter(({ bytes }) => isLarge(bytes))
      .map(({ part, bytes }) => [`  ${part}`, String(perClaim(bytes))]),
  ]);
  const isDeleted = ({ table }: Part) => DELETED.includes(table);
  const forever = perClaim(sum(parts.filter((part) => !isDeleted(part))));
  const deleted = perClaim(sum(parts.filter(isDeleted)));
  process.stdout.write(
    `\nBytes per claim on disk, with ${claims} claims: ${forever} forever, ${deleted} until retention deletes them (${DELETED.join(', ')})\n` +
      `${formatTable([['table', 'bytes'], ...rows], 0)}\n`,
  );
  const account = tables.map(({ table, bytes }) => ({ table, bytes: perClaim(bytes) }));
  printJson({ benchmark: 'growth: disk', claims, forever, deleted, account });
}
