/** The deletion of request counts. The statement that counts requests is in credential-and-rate-limit.ts. */
import { type Db, DELETION_BATCH, isOnlyDeletion } from '@carecover/platform';

/**
 * Deletes a batch of the counts of minutes that began more than five minutes ago. The rate limit reads only the current minute. Returns the
 * number of deleted counts.
 */
export async function deleteOldCounts(db: Db, batch = DELETION_BATCH): Promise<number> {
  const deleted = await db`
    delete from request_counts where (minute, project_id) in (
      select minute, project_id from request_counts
      where minute < (select platform.now()) - interval '5 minutes' and ${isOnlyDeletion(db, 'request_counts')}
      order by minute limit ${batch})
    returning 1`;
  return deleted.length;
}
