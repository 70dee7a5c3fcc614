/** Enters the time of simulated projects: all transactions of the work have the time of the project's clock. */
import { isSimulated, runAtProjectTime } from '@carecover/domain';
import type { Sql, Tx } from './connect';

/**
 * Runs work for a project at the project's time: `platform.now()` and the time of new IDs are that of the project's clock. Work for a project
 * with real time is run as it is, without a statement.
 *
 * @param at the instant at which a due item is executed, in epoch milliseconds; omitted: the project's clock decides
 * @throws Error if a simulated project has no clock
 * @example await atProjectTime(sql, tenant, () => expireIfDue(sql, tenant, id));
 */
export async function atProjectTime<T>(
  sql: Sql,
  project: string,
  work: () => PromiseLike<T>,
  at: number | null = null,
): Promise<T> {
  if (!isSimulated(project)) return await work();
  // The query that `work` returns is sent when it is awaited, which must be at the project's time.
  const awaited = async () => await work();
  if (at !== null) return runAtProjectTime({ project, at, nowMs: at }, awaited);
  const [clock] = await sql<
    { now: Date }[]
  >`select now from platform.project_clocks where project_id = ${project}`;
  if (clock === undefined) throw new Error(`the simulated project ${project} has no clock`);
  return runAtProjectTime({ project, at, nowMs: clock.now.getTime() }, awaited);
}

/**
 * Moves a transaction of a simulated project to an instant, and runs work of the transaction at it.
 *
 * @param at the instant in epoch milliseconds
 * @example await sql.begin(async (tx) => atInstant(tx, tenant, dueMs, () => expireIfDue(tx, tenant, id)));
 */
export async function atInstant<T>(
  tx: Tx,
  project: string,
  at: number,
  work: () => PromiseLike<T>,
): Promise<T> {
  const moved = tx`select set_config('carecover.now', ${new Date(at)}::timestamptz::text, true)`;
  // The move is sent first, and needs no answer before the statements of `work`. If the connection is lost, both fail.
  const [, result] = await Promise.all([
    moved.then(() => undefined),
    runAtProjectTime({ project, at, nowMs: at }, async () => await work()),
  ]);
  return result;
}
