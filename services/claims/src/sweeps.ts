/**
 * Sweeps that complete work after a crash or an outage: pending commands without a sender, open claims without a workflow (for example
 * after a restore), overdue information requests, and ended claims that benefits has not released. Every sweep can run at any time and on
 * several replicas at once.
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
import { findWaiting, openClaimsAfter, overdueClaims, unreleasedClaims } from './store/unfinished-claims';

/** After this time without a response, a command's sender has ended. */
const STALE_S = 15;
/** A deadline that is overdue for this time was missed by its workflow. */
const GRACE_S = 5;
/** Claims per sweep. */
const BATCH = 200;

/** The workflows of claims whose status changed by a settlement or its reversal are signalled. */
export const reviewedWorkflows: ReviewedWorkflows = { workflow: claimWorkflow, findWaiting };

export function claimsSweeps(sql: Sql, temporal: TemporalCommands, log: Log): Sweep[] {
  async function signalOverdue(): Promise<void> {
    const claims = await overdueClaims(sql, GRACE_S, BATCH);
    await sendAll(claims, (claim) => temporal.signalReview(claimWorkflow, claim));
  }

  /** Only starts missing runs: an existing run retries until benefits responds. */
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
      ),
    },
    { name: 'information requests past their deadline', run: signalOverdue },
    { name: 'ended claims that still use something', run: releaseEnded },
  ];
}
