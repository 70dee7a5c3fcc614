/**
 * Sweeps that make good what a crash or an outage left undone. They ask workflows to finish interrupted commands, and start the workflows of
 * open claims, pending valuation runs and open bulk jobs that have none, for example after a restore. They apply the deadlines of information requests that no
 * workflow has applied, and let benefits release what ended claims used. Several processes can run the same sweep at once.
 */
import { deleteRejectedCommands, signalInterrupted } from '@carecover/commands';
import { atProjectTime, inBatches, type Sql } from '@carecover/postgres';
import { forAllOf, forEachOf, type Sweep } from '@carecover/process';
import type { Log } from '@carecover/telemetry';
import {
  enqueueMissing,
  type SignalTarget,
  startMissingWorkflows,
  type TemporalRuns,
} from '@carecover/temporal';
import { bulkJobWorkflow } from '@carecover/workflow-bulk-job/definition';
import { claimWorkflow } from '@carecover/workflow-claim/definition';
import { valuationWorkflow } from '@carecover/workflow-valuation/definition';
import type { Settings } from './settings';
import { deleteAbandonedJobs, deleteOldResults, openJobsAfter } from './store/bulk-jobs';
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
/** Maximum number of claims that one run of a sweep releases in benefits, at once. */
const RELEASE_BATCH = 50;

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
      name: 'bulk jobs without a workflow',
      run: startMissingWorkflows(
        BATCH,
        (afterId, limit) => openJobsAfter(sql, afterId, GRACE_S, limit),
        (page) => temporal.startMissing(bulkJobWorkflow, page),
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
      run: async () => {
        const claims = await unreleasedClaims(sql, GRACE_S, RELEASE_BATCH);
        // A release has no request of a client. The claim's ID identifies it in the logs.
        await forAllOf(claims, ({ id: claimId, tenant }) =>
          atProjectTime(sql, tenant, () => releaseClaim(deps, { tenant, claimId }, claimId)),
        );
        return claims.length === RELEASE_BATCH;
      },
    },
  ];
}

/** Sweeps whose work can wait: they delete what is older than its retention. Without a retention of valuation runs, those are kept for ever. */
export function claimsCleanups(
  sql: Sql,
  settings: Pick<
    Settings,
    'REJECTED_COMMANDS_DAYS' | 'BULK_RESULT_RETENTION_DAYS' | 'VALUATION_RUN_RETENTION_DAYS'
  >,
): Sweep[] {
  const { BULK_RESULT_RETENTION_DAYS: resultDays, VALUATION_RUN_RETENTION_DAYS: retentionDays } = settings;
  const cleanups = [
    deleteRejectedCommands(sql, settings),
    {
      name: 'bulk jobs whose file did not arrive',
      run: () => inBatches(async () => (await deleteAbandonedJobs(sql)) > 0),
    },
    {
      name: 'results of bulk jobs after their retention',
      run: () => inBatches(async () => (await deleteOldResults(sql, resultDays)) > 0),
    },
  ];
  if (retentionDays !== null) {
    cleanups.push({
      name: 'old valuation runs',
      run: () => inBatches(async () => (await deleteOldRuns(sql, retentionDays)) > 0),
    });
  }
  return cleanups;
}
