/** A race that a test decides: what it holds in an open transaction, another's work must be waiting for. */
import type { Sql } from '@carecover/platform';
import { eventually } from './eventually';

/**
 * Waits until this work is done, or some statement of this database waits for another's lock, as the work would. How the work
 * ends is left to who awaits it.
 */
export async function doneOrWaiting(sql: Sql, work: Promise<unknown>): Promise<void> {
  let isDone = false;
  const end = () => {
    isDone = true;
  };
  work.then(end, end);
  await eventually('the other work is done, or waits for a lock', async () => {
    const waiting = await sql`
      select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    return isDone || waiting.length > 0;
  });
}
