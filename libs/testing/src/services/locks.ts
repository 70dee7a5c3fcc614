import type { Sql } from '@carecover/postgres';
import { eventually } from '../servers';

/** Returns the number of statements in this database that wait for a lock. */
export async function countWaiting(sql: Sql): Promise<number> {
  const waiting = await sql`
    select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return waiting.length;
}

/**
 * Waits until the work is done or a statement in this database waits for a lock that the test's open transaction holds. The test
 * must await the work afterwards.
 */
export async function doneOrWaiting(sql: Sql, work: Promise<unknown>): Promise<void> {
  let isDone = false;
  const end = () => {
    isDone = true;
  };
  work.then(end, end);
  await eventually(
    'the work is done or waits for a lock',
    async () => isDone || (await countWaiting(sql)) > 0,
  );
}
