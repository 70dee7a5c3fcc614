/**
 * Sweeps that complete work after a crash or an outage: commands that are pending but whose sender has ended, open claims without a
 * workflow (for example after a restore), pending valuation runs without one, overdue information requests, and ended claims whose pre-authorization is not released. Several
 * processes can run the same sweep at once.
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

/** A command without a response after this time is sent again, because its sender no longer waits. */
const STALE_S = 15;
/** Claims that changed or became overdue within this time are left to their workflows. */
const GRACE_S = 5;
/** Maximum number of claims that one run of a sweep reads. */
const BATCH = 200;

/** Configuration for the signals to the workflows of claims whose status a settlement or its reversal changed. */
export const reviewedWorkflows: ReviewedWorkflows = { workflow: claimWorkflow, findWaiting };

export function claimsSweeps(sql: Sql, temporal: TemporalCommands, log: Log): Sweep[] {
  async function signalOverdue(): Promise<void> {
    const claims = await overdueClaims(sql, GRACE_S, BATCH);
    await sendAll(claims, (claim) => temporal.signalReview(claimWorkflow, claim));
  }

  /** Starts the workflows of ended claims that have none. A running workflow retries the release until benefits responds. */
  async function releaseEnded(): Promise<void> {
    const claims = await unreleasedClaims(sql, GRACE_S, BATCH);
    await sendAll(claims, (claim) => temporal.ensureRunning(claimWorkflow, claim));
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
