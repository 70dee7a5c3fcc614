/** The deletion of rows that are no longer kept: in batches, and by one process at a time. See docs/decisions/0037-retention.md. */
import type { Db, Fragment } from './statement';

/** Maximum number of rows that one statement deletes. */
export const DELETION_BATCH = 1_000;

/** Maximum number of batches in one run of a sweep, because the other sweeps wait until it ends. */
const MAX_BATCHES = 20;

/**
 * Calls `processBatch` until it returns false, at most 20 times. Returns whether there can be more batches, as a sweep does.
 *
 * @example run: () => inBatches(async () => (await deleteExpiredTokens(sql, days)) > 0)
 */
export async function inBatches(processBatch: () => Promise<boolean>): Promise<boolean> {
  for (let batch = 0; batch < MAX_BATCHES; batch++) if (!(await processBatch())) return false;
  return true;
}

/**
 * Returns an SQL condition that is true in one transaction at a time, and never waits. With it, replicas do not delete rows of a table at
 * the same time. They would wait for each other, and deadlock if they lock the same rows in different orders.
 *
 * @param table name of a table in the service's schema
 */
export function isOnlyDeletion(db: Db, table: string): Fragment {
  return db`(select pg_try_advisory_xact_lock(hashtext('deletion'), hashtext(current_schema() || '.' || ${table})))`;
}
