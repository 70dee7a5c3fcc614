/**
 * Copies the rows of an adjudicated claim in the schemas of claims and payments, because remittances need more claims than the API can
 * create in reasonable time. The copies have a status in which a claim's workflow has ended, so that no sweep starts a workflow for them.
 */
import { columns, connectPostgres, constantText, identifier, jsonb, type Sql } from '@carecover/platform';

const BATCH = 1_000;

/**
 * The tables with rows of a claim. Each has the column with the claim's ID, and SQL for the columns whose values differ between the
 * original row and its copy. In this SQL, `copy.id` is the ID of the claim that is created.
 */
const TABLES = [
  {
    schema: 'claims',
    name: 'claims',
    key: 'id',
    changes: `jsonb_build_object('id', copy.id, 'session_id', 'ses_' || copy.id, 'provider_claim_reference', copy.id,
      'status', 'denied', 'decision', 'denied', 'approved', 0)`,
  },
  { schema: 'claims', name: 'facts', key: 'claim_id', changes: `jsonb_build_object('claim_id', copy.id)` },
  {
    schema: 'payments',
    name: 'claim_accounts',
    key: 'claim_id',
    changes: `jsonb_build_object('claim_id', copy.id)`,
  },
];

/** Inserts copies of a claim's rows for claims with these IDs. `from` and `to` are connections to the two databases as the administrator. */
async function copyClaims(from: Sql, to: Sql, claimId: string, ids: readonly string[]): Promise<void> {
  for (const { schema, name, key, changes } of TABLES) {
    const table = `${schema}.${name}`;
    const rows = await from<{ row: object }[]>`
      select to_jsonb(t) as row from ${identifier(table)} t where ${identifier(key)} = ${claimId}`;
    const written = await to<{ name: string }[]>`
      select column_name as name from information_schema.columns
      where table_schema = ${schema} and table_name = ${name} and is_generated = 'NEVER'`;
    const list = written.map((column) => column.name);
    const originals = jsonb(rows.map(({ row }) => row));
    for (let at = 0; at < ids.length; at += BATCH) {
      await to`
        insert into ${identifier(table)} (${columns(list)})
        select ${columns(list.map((column) => `made.${column}`))}
        from unnest(${ids.slice(at, at + BATCH)}::text[]) as copy (id)
        cross join jsonb_array_elements(${originals}) as original (row)
        cross join jsonb_populate_record(null::${identifier(table)}, original.row || ${constantText(changes)}) as made`;
    }
  }
}

/** Opens two databases as the administrator, for copies of a claim in the first database to both of them. */
export function openClaimCopies(stackUrl: string, sideUrl: string, claimId: string) {
  const stack = connectPostgres(stackUrl, 1, 'bench-copy');
  const side = connectPostgres(sideUrl, 1, 'bench-copy');
  return {
    inStack: (ids: readonly string[]) => copyClaims(stack, stack, claimId, ids),
    inSide: (ids: readonly string[]) => copyClaims(stack, side, claimId, ids),
    async close() {
      await stack.end();
      await side.end();
    },
  };
}
