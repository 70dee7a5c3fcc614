/** SQL that sets the rate limit of a project. */
import { connectPostgres } from '@carecover/postgres';

/** Sets a project's requests per minute, and deletes the count of this minute. */
export async function setRateLimit(databaseUrl: string, projectId: string, perMinute: number): Promise<void> {
  const sql = connectPostgres(databaseUrl, 1, 'security-test');
  try {
    await sql`update gateway.projects set rate_limit_per_minute = ${perMinute} where id = ${projectId}`;
    await sql`delete from gateway.request_counts where project_id = ${projectId}`;
  } finally {
    await sql.end();
  }
}
