/**
 * Copies the rows of a resource with SQL, because the API can't create as many large resources in reasonable time. The copies have a status
 * in which a workflow has ended, so that no sweep starts a workflow for them.
 */
import { columns, constantText, identifier, jsonb, type Sql } from '@carecover/postgres';

const BATCH = 1_000;

/**
 * A table with rows of a resource: the column with the resource's ID, and SQL of an object with the columns whose values differ between the
 * original row and its copy. In this SQL, `copy.id` is the ID of the resource that is created.
 */
export interface CopiedTable {
  readonly schema: string;
  readonly name: string;
  readonly key: string;
  readonly changes: string;
}

/** The tables of an adjudicated claim, to which remittances can allocate. */
export const CLAIM_TABLES: readonly CopiedTable[] = [
  {
    schema: 'claims',
    name: 'claims',
    key: 'id',
    changes: `jsonb_build_object('id', copy.id, 'session_id', 'ses_' || copy.id, 'provider_claim_reference', copy.id, 'provider_claim_reference_key', copy.id,
      'status', 'denied', 'decision', 'denied', 'approved', 0)`,
  },
  { schema: 'claims', name: 'facts', key: 'claim_id', changes: `jsonb_build_object('claim_id', copy.id)` },
  {
    schema: 'claims',
    name: 'adjudications',
    key: 'claim_id',
    changes: `jsonb_build_object('claim_id', copy.id)`,
  },
  {
    schema: 'payments',
    name: 'claim_accounts',
    key: 'claim_id',
    changes: `jsonb_build_object('claim_id', copy.id)`,
  },
];

/** Inserts copies of a resource's rows with these IDs. `from` and `to` are connections to the two databases as the administrator. */
export async function insertCopies(
  from: Sql,
  to: Sql,
  tables: readonly CopiedTable[],
  originalId: string,
  ids: readonly string[],
): Promise<void> {
  for (const { schema, name, key, changes } of tables) {
    const table = `${schema}.${name}`;
    const rows = await from<{ row: object }[]>`
      select to_jsonb(t) as row from ${identifier(table)} t where ${identifier(key)} = ${originalId}`;
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
