/**
 * Sweeps that complete work after a crash or an outage. They find pending commands whose sender has ended, open claims without a workflow
 * (for example after a restore), pending valuation runs without a workflow, overdue information requests, and ended claims whose
 * pre-authorization is not released. Several processes can run the same sweep at once.
 */
import {
  type Log,
  type ReviewedWorkflows,
  resendStaleCommands,
  type Sql,
  type Sweep,
  sendAll,
  startMissingWorkflows,
  type TemporalCommands,
} from '@carecover/platform';
import { claimWorkflow } from '@carecover/workflow-claim/definition';
import { valuationWorkflow } from '@carecover/workflow-valuation/definition';
import { findWaiting, openClaimsAfter, overdueClaims, unreleasedClaims } from './store/unfinished-claims';
import { pendingRunsAfter } from './store/valuation-runs';

/** The time in seconds after which a command without a response is sent again, because its sender no longer waits. */
const STALE_S = 15;
/**
 * The time in seconds after a claim's change or deadline during which sweeps ignore the claim, because its workflow may still be working on
 * it.
 */
const GRACE_S = 5;
/** Maximum number of claims that one run of a sweep reads. */
const BATCH = 200;
/** The time in milliseconds after which a process signals an ended claim again whose pre-authorization is still not released. */
const SIGNAL_PAUSE_MS = 600_000;

/** The configuration of the signals that claims' workflows receive when a settlement or its reversal changed the status of a claim. */
export const reviewedWorkflows: ReviewedWorkflows = {
  workflow: claimWorkflow,
  batch: 40,
  pauseMs: 0,
  findWaiting,
};

export function claimsSweeps(sql: Sql, temporal: TemporalCommands, log: Log): Sweep[] {
  async function signalOverdue(): Promise<void> {
    const claims = await overdueClaims(sql, GRACE_S, BATCH);
    await sendAll(claims, (claim) => temporal.signalReview(claimWorkflow, claim));
  }

  /** When {@link releaseEnded} signalled each claim of its last run, by ID, in milliseconds of the monotonic clock. */
  let signalledAt = new Map<string, number>();

  /**
   * Signals the workflows of ended claims whose pre-authorization is not released: a run does not know that its claim has ended if Temporal
   * lost the Update that ended it. A run that knows retries the release until benefits responds. Each further signal would make its history
   * longer, so until the next signal only a missing run is started.
   */
  async function releaseEnded(): Promise<void> {
    const before = signalledAt;
    signalledAt = new Map();
    const claims = await unreleasedClaims(sql, GRACE_S, BATCH);
    await sendAll(claims, async (claim) => {
      const atMs = before.get(claim.id);
      if (atMs !== undefined && performance.now() - atMs < SIGNAL_PAUSE_MS) {
        signalledAt.set(claim.id, atMs);
        return temporal.ensureRunning(claimWorkflow, claim);
      }
      const isSent = await temporal.signalReview(claimWorkflow, claim);
      if (isSent) signalledAt.set(claim.id, performance.now());
      return isSent;
    });
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
  ];
}
