/** SQL that inserts and deletes bulk jobs. */
import { OPEN_BULK_JOB_LIMIT } from '@carecover/contract';
import { newId } from '@carecover/domain';
import { connectPostgres, type Sql } from '@carecover/postgres';

async function withSql<T>(databaseUrl: string, work: (sql: Sql) => PromiseLike<T>): Promise<T> {
  const sql = connectPostgres(databaseUrl, 1, 'contract-test');
  try {
    return await work(sql);
  } finally {
    await sql.end();
  }
}

/**
 * Inserts paused jobs of the project of a claim, by default the maximum number. Returns their IDs.
 */
export function fillWithOpenJobs(
  databaseUrl: string,
  claimId: string,
  ids: readonly string[] = Array.from({ length: OPEN_BULK_JOB_LIMIT }, () => newId('job_')),
): Promise<readonly string[]> {
  return withSql(databaseUrl, async (sql) => {
    await sql`
      insert into claims.bulk_jobs (id, project_id, environment, kind, on_error, dry_run, status, caller, total, created_at)
      select job, project_id, environment, 'claims', 'continue', false, 'paused', '{}', 1, platform.now()
      from claims.claims, unnest(${[...ids]}::text[]) as job where id = ${claimId}`;
    return ids;
  });
}

/** Deletes jobs, so that later requests of the project can create jobs. */
export async function deleteJobs(databaseUrl: string, ids: readonly string[]): Promise<void> {
  await withSql(databaseUrl, (sql) => sql`delete from claims.bulk_jobs where id = any(${[...ids]})`);
}
