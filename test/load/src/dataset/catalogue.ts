/** Reads the tables of the services and all their rows, by the database's catalogue: a new table or column needs no change here. */
import { columns, constantText, type Db, identifier, type Sql } from '@carecover/platform';

/** The schemas with the rows of claims. The gateway has none. */
const SCHEMAS = ['care', 'benefits', 'claims', 'payments', 'webhooks'];

export interface Column {
  readonly name: string;
  /** The type as in SQL, such as `timestamp(3) with time zone`. */
  readonly type: string;
  readonly isIdentity: boolean;
}

export interface Table {
  /** With its schema. */
  readonly name: string;
  /** All columns that a copy writes, and the identity. Generated columns are left out. */
  readonly columns: readonly Column[];
  /** The names of the primary key's columns. */
  readonly key: readonly string[];
}

/** A row of a table: the text of each column, in the order of {@link Table.columns}. */
export interface StoredRow {
  readonly table: Table;
  readonly cells: readonly (string | null)[];
}

/** Reads all tables of the services, except those of partitions and of the migrations. */
export async function readTables(db: Db): Promise<Table[]> {
  return db<Table[]>`
    select n.nspname || '.' || c.relname as name,
      (select jsonb_agg(jsonb_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
                                           'isIdentity', a.attidentity <> '') order by a.attnum)
         from pg_attribute a
         where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
      coalesce((select jsonb_agg(a.attname) from pg_index i join pg_attribute a on a.attrelid = c.oid
         where i.indrelid = c.oid and i.indisprimary and a.attnum = any(i.indkey)), '[]') as key
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any(${SCHEMAS}) and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname not like '%migrations'
    order by 1`;
}

/** Reads all rows of these tables as of one moment. For small databases: all rows are in memory. */
export function readRows(sql: Sql, tables: readonly Table[]): Promise<StoredRow[]> {
  return sql.begin('isolation level repeatable read read only', async (tx) => {
    const rows: StoredRow[] = [];
    for (const table of tables) {
      const identity = table.columns.find(({ isIdentity }) => isIdentity);
      const order = identity === undefined ? constantText('ctid') : identifier(identity.name);
      const texts = table.columns.map(({ name }) => `${identifier(name).text}::text`).join(', ');
      const found = await tx<{ cells: (string | null)[] }[]>`
        select array[${constantText(texts)}] as cells from ${identifier(table.name)} order by ${order}`;
      rows.push(...found.map(({ cells }) => ({ table, cells })));
    }
    return rows;
  });
}

/** Returns a text that identifies the row in its table. */
export function keyOf({ table, cells }: StoredRow): string {
  const names = table.key.length === 0 ? table.columns.map(({ name }) => name) : table.key;
  const values = names.map((name) => cells[table.columns.findIndex((column) => column.name === name)]);
  return JSON.stringify([table.name, ...values]);
}

/** The columns that a copy writes: the database generates identities. */
export function writtenColumns({ columns }: Table): readonly Column[] {
  return columns.filter(({ isIdentity }) => !isIdentity);
}

/** The names of {@link writtenColumns} in SQL. */
export function writtenNames(table: Table) {
  return columns(writtenColumns(table).map(({ name }) => name));
}
