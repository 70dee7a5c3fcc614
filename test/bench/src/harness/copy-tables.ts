/** Copies the rows of services from one database to another with the same schema, for the bare limits. */
import { connectPostgres, identifier, jsonb } from '@carecover/postgres';

const BATCH = 2_000;

/** Copies the rows of all tables of a schema, except the tables that every service has, such as the outbox. */
export async function copyTables(fromUrl: string, toUrl: string, schema: string): Promise<void> {
  const from = connectPostgres(fromUrl, 1, 'bench-copy');
  const to = connectPostgres(toUrl, 1, 'bench-copy');
  try {
    const tables = await from<{ name: string }[]>`
      select tablename as name from pg_tables
      where schemaname = ${schema} and tablename not in ('commands', 'outbox', 'published_events', 'pgmigrations')`;
    // Disables foreign keys, because tables are copied in any order.
    await to`set session_replication_role = replica`;
    for (const { name } of tables) {
      const table = `${schema}.${name}`;
      const rows = await from<{ row: object }[]>`select to_jsonb(t) as row from ${identifier(table)} t`;
      for (let at = 0; at < rows.length; at += BATCH) {
        const batch = rows.slice(at, at + BATCH).map(({ row }) => row);
        await to`
          insert into ${identifier(table)} overriding system value
          select * from jsonb_populate_recordset(null::${identifier(table)}, ${jsonb(batch)})
          on conflict do nothing`;
      }
    }
  } finally {
    await from.end();
    await to.end();
  }
}
