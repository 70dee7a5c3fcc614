/**
 * Executes valuation runs: the steps of their workflow. The result of a run never changes, because the run's cutoff is closed before the
 * result is computed.
 *
 * Failure policy: of each project, one month at a time is rolled up and one result at a time is computed, so that the runs of one project
 * leave connections for other requests. A step that finds the project busy returns at once, and its workflow repeats it later.
 */
import { createHash, randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { canonicalJson, isSimulated, type Tenant } from '@carecover/domain';
import type { Sql } from '@carecover/postgres';
import type { RetryLater, RollUpProgress } from '@carecover/workflow-valuation';
import { RunFailure, type RunResult, totalsResult, triangleResult } from '../rules/valuation-run';
import { PortfolioBusy, rollUpNextMonth } from '../store/portfolio-rollups';
import { type Access, sumGroups, sumMonths } from '../store/portfolio-sums';
import { cutoffsOf, findRun, type RunRow, setFailure, setProgress, setResult } from '../store/valuation-runs';
import { makePortfolioFinalIfPassed } from './make-final';

/** Identifies a valuation run in the input of a workflow step. */
export interface RunOfTenant {
  readonly tenant: Tenant;
  readonly resourceId: string;
}

/** The progress of a run in percent after its cutoff is closed, and after its months are rolled up. */
const CLOSED_PERCENT = 5;
const ROLLED_UP_PERCENT = 90;

/** The bounds of the time in milliseconds after which a step that found its project busy is repeated. */
const BUSY_PAUSE_MS = { min: 500, max: 30_000 };

/**
 * Returns after how many milliseconds a step of work that began at `since` (epoch milliseconds) is repeated: about a quarter of the time that
 * has passed, so that many waiting runs cost little.
 */
function busyPauseMs(since: number): number {
  const { min, max } = BUSY_PAUSE_MS;
  const pauseMs = Math.min(max, Math.max(min, (Date.now() - since) / 4));
  return randomInt(Math.ceil(pauseMs / 2), Math.ceil(pauseMs) + 1);
}

/** Returns when a run began, by the clock of the machine. That of a project with simulated time is not known: its steps are repeated soon. */
function startOf({ project_id, created_at }: RunRow): number {
  return isSimulated(project_id) ? Date.now() : created_at.getTime();
}

/** Executes work that throws PortfolioBusy while other work for its project is in progress, and repeats it until it succeeds. */
export async function waitWhileBusy<Result>(work: () => Promise<Result>): Promise<Result> {
  const since = Date.now();
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof PortfolioBusy)) throw error;
      await sleep(busyPauseMs(since));
    }
  }
}

/** Returns what `work` returns, or what `whileBusy` returns if other work for its project is in progress. */
async function unlessBusy<Result>(work: () => Promise<Result>, whileBusy: () => Result): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof PortfolioBusy) return whileBusy();
    throw error;
  }
}

/**
 * Closes all claims of the project through the run's cutoff, if it has passed.
 *
 * @returns 0 if the claims are closed; otherwise by how many milliseconds the cutoff is in the future; null if the run does not exist or
 *   has ended
 * @throws ApiError service_unavailable if the lock of the project's claims is not available
 */
export async function closeCutoff(sql: Sql, { tenant, resourceId }: RunOfTenant): Promise<number | null> {
  const run = await findRun(sql, tenant, resourceId);
  if (run === null || run.status !== 'pending') return null;
  const ahead = await makePortfolioFinalIfPassed(sql, tenant, run.valuation_at.getTime());
  if (ahead === 0) await setProgress(sql, tenant, resourceId, CLOSED_PERCENT);
  return ahead;
}

/**
 * Rolls up the project's next month that has ended by the run's cutoff, or a slice of it if it has many changes. Returns the run's progress,
 * and whether there can be another month. If another run or a request rolls up a month of the project, returns when to repeat the step.
 */
export async function rollUpMonth(sql: Sql, identity: RunOfTenant): Promise<RollUpProgress> {
  const run = await findRun(sql, identity.tenant, identity.resourceId);
  if (run === null || run.status !== 'pending') return { hasMore: false, percent: 100 };
  return unlessBusy<RollUpProgress>(
    () => rollUpMonthOf(sql, identity, run),
    () => ({ hasMore: true, percent: run.progress, retryAfterMs: busyPauseMs(startOf(run)) }),
  );
}

async function rollUpMonthOf(
  sql: Sql,
  { tenant, resourceId }: RunOfTenant,
  run: RunRow,
): Promise<RollUpProgress> {
  const until = run.valuation_at.getTime();
  const state = await rollUpNextMonth(sql, tenant, until);
  if (state === null) return { hasMore: false, percent: ROLLED_UP_PERCENT };
  const part = Math.min(1, (state.rolledThrough - state.first) / Math.max(1, until - state.first));
  const percent = Math.round(CLOSED_PERCENT + part * (ROLLED_UP_PERCENT - CLOSED_PERCENT));
  await setProgress(sql, tenant, resourceId, percent);
  return { hasMore: true, percent };
}

/**
 * Computes the result of a run from the sums at its cutoffs.
 *
 * @throws RunFailure if the result would exceed a limit; PortfolioBusy if `access` is `exclusive` and the result of another run of the
 *   project is being computed with this access
 */
export async function resultOf(sql: Sql, run: RunRow, access: Access = 'shared'): Promise<RunResult> {
  const { project_id: tenant, group_by, development } = run;
  if (run.kind === 'totals')
    return totalsResult(await sumGroups(sql, tenant, cutoffsOf(run), group_by, access), group_by);
  const months = await sumMonths(sql, tenant, cutoffsOf(run), access);
  return triangleResult(months, { valuationAt: run.valuation_at.getTime(), development });
}

/** Returns the SHA-256 of a result's canonical JSON in hexadecimal. */
export function digestOf({ totals, groups, triangle }: RunResult): string {
  return createHash('sha256').update(canonicalJson({ totals, groups, triangle })).digest('hex');
}

/**
 * Computes and stores the result of a run, or why it has none. Returns the text that operators read in the Temporal UI; while the result of
 * another run of the project is being computed, returns when to repeat the step.
 */
export async function computeResult(
  sql: Sql,
  { tenant, resourceId }: RunOfTenant,
): Promise<string | RetryLater> {
  const run = await findRun(sql, tenant, resourceId);
  if (run === null) return 'The run does not exist.';
  if (run.status !== 'pending') return `Ended: ${run.status}.`;
  return unlessBusy<string | RetryLater>(
    () => computeResultOf(sql, run),
    () => ({ retryAfterMs: busyPauseMs(startOf(run)) }),
  );
}

async function computeResultOf(sql: Sql, run: RunRow): Promise<string> {
  const { project_id: tenant, id: resourceId } = run;
  try {
    const result = await resultOf(sql, run, 'exclusive');
    const digest = digestOf(result);
    await setResult(sql, tenant, resourceId, result, digest);
    return `Ready: ${result.groups.length} groups, SHA-256 ${digest}.`;
  } catch (error) {
    if (!(error instanceof RunFailure)) throw error;
    await setFailure(sql, tenant, resourceId, error.message);
    return `Failed: ${error.message}`;
  }
}

/** Executes the steps of a run in this process, as its workflow does. The process and the workflow can execute the steps concurrently. */
export async function executeValuationRun(sql: Sql, run: RunOfTenant): Promise<void> {
  for (let ahead = await closeCutoff(sql, run); ahead !== 0; ahead = await closeCutoff(sql, run)) {
    if (ahead === null) return;
    await sleep(ahead);
  }
  for (;;) {
    const { hasMore, retryAfterMs } = await rollUpMonth(sql, run);
    if (!hasMore) break;
    if (retryAfterMs !== undefined) await sleep(retryAfterMs);
  }
  for (;;) {
    const computed = await computeResult(sql, run);
    if (typeof computed === 'string') return;
    await sleep(computed.retryAfterMs);
  }
}
