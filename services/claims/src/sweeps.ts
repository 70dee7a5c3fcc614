/**
 * Sweeps that complete work after a crash or an outage. They find pending commands whose sender has ended, open claims without a workflow
 * (for example after a restore), pending valuation runs without a workflow, overdue information requests, ended claims whose
 * pre-authorization is not released, and workflows that lost an Update. Several processes can run the same sweep at once. A cleanup deletes
 * valuation runs after their retention.
 */
import {
  inBatches,
  type Log,
  RecentSignals,
  type ReviewedWorkflows,
  resendStaleCommands,
  type Sql,
  type Sweep,
  sendAll,
  signalOutdatedWorkflows,
  signalUnlessRecent,
  startMissingWorkflows,
  type TemporalCommands,
} from '@carecover/platform';
import { claimWorkflow } from '@carecover/workflow-claim/definition';
import { valuationWorkflow } from '@carecover/workflow-valuation/definition';
import {
  findWaiting,
  openClaimsAfter,
  overdueClaims,
  readStatuses,
  unreleasedClaims,
} from './store/unfinished-claims';
import { deleteOldRuns, pendingRunsAfter } from './store/valuation-runs';

/** The time in seconds after which a command without a response is sent again, because its sender no longer waits. */
const STALE_S = 15;
/**
 * The time in seconds after a claim's change or deadline during which sweeps ignore the claim, because its workflow may still be working on
 * it.
 */
const GRACE_S = 5;
/** Maximum number of claims that one run of a sweep reads. */
const BATCH = 200;

/** The configuration of the signals that claims' workflows receive when a settlement or its reversal changed the status of a claim. */
export const reviewedWorkflows: ReviewedWorkflows = {
  workflow: claimWorkflow,
  batch: 40,
  pauseMs: 0,
  findWaiting,
};

/** The deletion of old valuation runs; no cleanup if they are kept for ever. @param retentionDays null: for ever */
export function claimsCleanups(sql: Sql, retentionDays: number | null): Sweep[] {
  if (retentionDays === null) return [];
  return [
    {
      name: 'old valuation runs',
      run: () => inBatches(async () => (await deleteOldRuns(sql, retentionDays)) > 0),
    },
  ];
}

export function claimsSweeps(sql: Sql, temporal: TemporalCommands, log: Log): Sweep[] {
  async function signalOverdue(): Promise<void> {
    const claims = await overdueClaims(sql, GRACE_S, BATCH);
    await sendAll(claims, (claim) => temporal.signalReview(claimWorkflow, claim));
  }

  const signals = new RecentSignals();

  /**
   * Signals the workflows of ended claims whose pre-authorization is not released: a run does not know that its claim has ended if Temporal
   * lost the Update that ended it. A run that knows retries the release until benefits responds, so of a claim that was signalled recently,
   * only a missing run is started.
   */
  async function releaseEnded(): Promise<void> {
    const claims = await unreleasedClaims(sql, GRACE_S, BATCH);
    await sendAll(claims, (claim) => signalUnlessRecent(temporal, claimWorkflow, claim, signals));
  }

  return [
    {
      name: 'claim commands without an answer',
      run: resendStaleCommands(sql, STALE_S, log, (command) => temporal.command(claimWorkflow, command)),
    },
    {
      name: 'open claims without a workflow',
      run: startMissingWorkflows(
        BATCH,
        async (afterId, limit) => openClaimsAfter(sql, afterId, GRACE_S, limit),
        (page) => temporal.ensureAllRunning(claimWorkflow, page),
        log,
      ),
    },
    {
      name: 'valuation runs without a workflow',
      run: startMissingWorkflows(
        BATCH,
        (afterId, limit) => pendingRunsAfter(sql, afterId, GRACE_S, limit),
        (page) => temporal.ensureAllRunning(valuationWorkflow, page),
        log,
      ),
    },
    { name: 'information requests past their deadline', run: signalOverdue },
    { name: 'ended claims that still use something', run: releaseEnded },
    {
      name: 'workflows that show an outdated status of their claim',
      run: signalOutdatedWorkflows(temporal, claimWorkflow, (ids) => readStatuses(sql, ids)),
    },
  ];
}
