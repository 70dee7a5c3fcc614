/** SQL that inserts and deletes valuation runs. */
import { PENDING_RUN_LIMIT } from '@carecover/contract';
import { connectPostgres, type Sql } from '@carecover/postgres';

async function withSql<T>(databaseUrl: string, work: (sql: Sql) => PromiseLike<T>): Promise<T> {
  const sql = connectPostgres(databaseUrl, 1, 'contract-test');
  try {
    return await work(sql);
  } finally {
    await sql.end();
  }
}

/** Inserts the maximum number of pending runs of the project of a claim. Returns the IDs of the runs. */
export function fillWithPendingRuns(databaseUrl: string, claimId: string): Promise<string[]> {
  return withSql(databaseUrl, async (sql) => {
    const rows = await sql<{ id: string }[]>`
      insert into claims.valuation_runs
        (id, project_id, environment, valuation_at, effective_through, kind, group_by, status, progress, created_at)
      select 'vrun_' || replace(gen_random_uuid()::text, '-', ''), project_id, environment, created_at, created_at, 'totals', '[]',
        'pending', 0, platform.now()
      from claims.claims, generate_series(1, ${PENDING_RUN_LIMIT}::integer)
      where id = ${claimId}
      returning id`;
    return rows.map(({ id }) => id);
  });
}

/** Deletes runs, so that later requests of the project can create runs. */
export async function deleteRuns(databaseUrl: string, ids: readonly string[]): Promise<void> {
  await withSql(databaseUrl, (sql) => sql`delete from claims.valuation_runs where id = any(${[...ids]})`);
}
