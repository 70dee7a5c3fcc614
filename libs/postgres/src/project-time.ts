/** Enters the time of simulated projects: all transactions of the work have the time of the project's clock. */
import { activeProjectTime, isSimulated, runAtProjectTime, workIds } from '@carecover/domain';
import type { Sql, Tx } from './connect';

/**
 * Runs work for a project at the project's time: `platform.now()` and the time of new IDs are that of the project's clock. Work for a project
 * with real time is run as it is, without a statement.
 *
 * @param at the instant at which a due item is executed, in epoch milliseconds; omitted: the project's clock decides
 * @param scope what the work is, of which the IDs follow in a project with a seed; null: they are random. No other work of the project has it
 * @throws Error if a simulated project has no clock
 * @example await atProjectTime(sql, tenant, () => expireIfDue(sql, tenant, id));
 */
export async function atProjectTime<T>(
  sql: Sql,
  project: string,
  work: () => PromiseLike<T>,
  at: number | null = null,
  scope: string | null = null,
): Promise<T> {
  if (!isSimulated(project)) return await work();
  // The query that `work` returns is sent when it is awaited, which must be at the project's time.
  const awaited = async () => await work();
  if (at !== null && scope === null) return runAtProjectTime({ project, at, nowMs: at }, awaited);
  const [clock] = await sql<
    { now: Date; seed: string | null }[]
  >`select now, seed from platform.project_clocks where project_id = ${project}`;
  if (clock === undefined) throw new Error(`the simulated project ${project} has no clock`);
  const ids = workIds(clock.seed, scope);
  return runAtProjectTime({ project, at, nowMs: at ?? clock.now.getTime(), ids }, awaited);
}

/**
 * Moves a transaction of a simulated project to an instant, and runs work of the transaction at it.
 *
 * @param at the instant in epoch milliseconds
 * @param scope what the work is, as in {@link atProjectTime}, inside which the transaction is
 * @example await sql.begin(async (tx) => atInstant(tx, tenant, dueMs, () => expireIfDue(tx, tenant, id)));
 */
export async function atInstant<T>(
  tx: Tx,
  project: string,
  at: number,
  work: () => PromiseLike<T>,
  scope: string | null = null,
): Promise<T> {
  const ids = workIds(activeProjectTime()?.ids?.seed ?? null, scope);
  const moved = tx`select set_config('carecover.now', ${new Date(at)}::timestamptz::text, true)`;
  // The move is sent first, and needs no answer before the statements of `work`. If the connection is lost, both fail.
  const [, result] = await Promise.all([
    moved.then(() => undefined),
    runAtProjectTime({ project, at, nowMs: at, ids }, async () => await work()),
  ]);
  return result;
}
