/**
 * Sweeps that make good what a crash or an outage left undone. They ask workflows to finish interrupted commands, and start the workflows of
 * open claims and pending valuation runs that have none, for example after a restore. Overdue information requests and unreleased
 * pre-authorizations are handled here if no workflow has handled them, so they do not depend on Temporal. Several processes can run the same
 * sweep at once.
 */
import {
  deleteRejectedCommands,
  enqueueMissing,
  forEachOf,
  inBatches,
  type Log,
  type SignalTarget,
  type Sql,
  type Sweep,
  signalInterrupted,
  startMissingWorkflows,
  type TemporalRuns,
} from '@carecover/platform';
import { claimWorkflow } from '@carecover/workflow-claim/definition';
import { valuationWorkflow } from '@carecover/workflow-valuation/definition';
import type { Settings } from './settings';
import { findWaiting, openClaimsAfter, overdueClaims, unreleasedClaims } from './store/unfinished-claims';
import { deleteOldRuns, pendingRunsAfter } from './store/valuation-runs';
import type { ClaimCommandDeps } from './use-cases/claim-command';
import { lapseInformationRequest } from './use-cases/lapse-information-request';
import { releaseClaim } from './use-cases/release-claim';

/**
 * The time in seconds after a claim's change or deadline during which sweeps ignore the claim, because its workflow may still be working on
 * it.
 */
const GRACE_S = 10;
/** Maximum number of claims that one run of a sweep reads. */
const BATCH = 200;

/** The workflow that signals of claims go to. */
export const signalTarget: SignalTarget = { workflow: claimWorkflow, findWaiting };

export function claimsSweeps(deps: ClaimCommandDeps, temporal: TemporalRuns, log: Log): Sweep[] {
  const { sql, notifySignals } = deps;
  return [
    { name: 'interrupted commands on claims', run: signalInterrupted(sql, notifySignals) },
    {
      name: 'open claims without a workflow',
      run: startMissingWorkflows(
        BATCH,
        async (afterId, limit) => openClaimsAfter(sql, afterId, GRACE_S, limit),
        (page) => enqueueMissing(sql, temporal, page),
        log,
      ),
    },
    {
      name: 'valuation runs without a workflow',
      run: startMissingWorkflows(
        BATCH,
        (afterId, limit) => pendingRunsAfter(sql, afterId, GRACE_S, limit),
        (page) => temporal.startMissing(valuationWorkflow, page),
        log,
      ),
    },
    {
      name: 'information requests past their deadline',
      run: async () =>
        forEachOf(await overdueClaims(sql, GRACE_S, BATCH), ({ id: claimId, tenant }) =>
          lapseInformationRequest(sql, { tenant, claimId }),
        ),
    },
    {
      name: 'ended claims that still use something',
      run: async () =>
        forEachOf(await unreleasedClaims(sql, GRACE_S, BATCH), ({ id: claimId, tenant }) =>
          releaseClaim(deps, { tenant, claimId }, claimId),
        ),
    },
  ];
}

/** Sweeps whose work can wait: they delete what is older than its retention. Without a retention of valuation runs, those are kept for ever. */
export function claimsCleanups(sql: Sql, settings: Settings): Sweep[] {
  const { VALUATION_RUN_RETENTION_DAYS: retentionDays } = settings;
  const cleanups = [deleteRejectedCommands(sql, settings)];
  if (retentionDays !== null) {
    cleanups.push({
      name: 'old valuation runs',
      run: () => inBatches(async () => (await deleteOldRuns(sql, retentionDays)) > 0),
    });
  }
  return cleanups;
}
