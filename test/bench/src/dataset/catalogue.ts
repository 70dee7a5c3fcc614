/**
 * Reads the definitions and rows of the services' tables, with the help of PostgreSQL's system catalogue, so that a new table or column
 * needs no change here.
 */
import { columns, constantText, type Db, identifier, type Sql } from '@carecover/postgres';

/** The schemas that have rows about claims. The gateway's schema has none. */
const SCHEMAS = ['care', 'benefits', 'claims', 'payments', 'webhooks'];

export interface Column {
  readonly name: string;
  /** The type of the column in SQL, such as `timestamp(3) with time zone`. */
  readonly type: string;
  readonly isIdentity: boolean;
}

export interface Table {
  /** The name of the table with its schema. */
  readonly name: string;
  /** The columns of the table without generated columns. */
  readonly columns: readonly Column[];
  /** The names of the primary key's columns. */
  readonly key: readonly string[];
}

/** A row of a table: the text of each column, in the order of {@link Table.columns}. */
export interface StoredRow {
  readonly table: Table;
  readonly cells: readonly (string | null)[];
}

/** Reads the definitions of all tables of the services, except partitions and the tables of migrations. */
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

/** Reads all rows of these tables at one instant. Only for small databases, because all rows are kept in memory. */
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

/** Returns a text that identifies a row: the table and the values of the primary key. */
export function keyOf({ table, cells }: StoredRow): string {
  const names = table.key.length === 0 ? table.columns.map(({ name }) => name) : table.key;
  const values = names.map((name) => cells[table.columns.findIndex((column) => column.name === name)]);
  return JSON.stringify([table.name, ...values]);
}

/** Returns the columns that a copy of a row writes: all except identity columns, whose values the database generates. */
export function writtenColumns({ columns }: Table): readonly Column[] {
  return columns.filter(({ isIdentity }) => !isIdentity);
}

/** Returns the names of {@link writtenColumns} as SQL. */
export function writtenNames(table: Table) {
  return columns(writtenColumns(table).map(({ name }) => name));
}
