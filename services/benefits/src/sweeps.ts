/**
 * Sweeps that make good what a crash or an outage left undone. They ask workflows to finish interrupted commands, start the workflows of open
 * pre-authorizations that have none, for example after a restore, and expire overdue pre-authorizations. Several processes can run the same
 * sweep at once.
 */
import { type CommandSettings, deleteRejectedCommands, signalInterrupted } from '@carecover/commands';
import type { Sql } from '@carecover/postgres';
import { forEachOf, type Sweep } from '@carecover/process';
import type { Log } from '@carecover/telemetry';
import {
  enqueueMissing,
  type SignalTarget,
  startMissingWorkflows,
  type TemporalRuns,
} from '@carecover/temporal';
import { preauthorizationWorkflow } from '@carecover/workflow-preauthorization/definition';
import { findOverdue, findWaiting, pageOfWaiting } from './store/preauthorizations';
import { expireIfDue } from './use-cases/expire-overdue';
import type { PreauthorizationCommandDeps } from './use-cases/preauthorization-command';

/** A pre-authorization that is overdue for this time is expired by the sweep, because its workflow is late. */
const GRACE_S = 10;
/** Maximum number of pre-authorizations that one run of a sweep reads per query. */
const BATCH = 200;

/** The workflow that signals of pre-authorizations go to. */
export const signalTarget: SignalTarget = { workflow: preauthorizationWorkflow, findWaiting };

/** Creates the sweeps of benefits. */
export function benefitsSweeps(
  { sql, notifySignals }: Pick<PreauthorizationCommandDeps, 'sql' | 'notifySignals'>,
  temporal: Pick<TemporalRuns, 'findNotRunning'>,
  log: Log,
): Sweep[] {
  return [
    { name: 'interrupted decisions', run: signalInterrupted(sql, notifySignals) },
    {
      name: 'pre-authorizations without a workflow',
      run: startMissingWorkflows(
        BATCH,
        (afterId, limit) => pageOfWaiting(sql, afterId, GRACE_S, limit),
        (page) => enqueueMissing(sql, temporal, page),
        log,
      ),
    },
    {
      name: 'overdue pre-authorizations',
      run: async () =>
        forEachOf(await findOverdue(sql, GRACE_S, BATCH), ({ id, tenant }) => expireIfDue(sql, tenant, id)),
    },
  ];
}

/** Sweeps whose work can wait. */
export function benefitsCleanups(sql: Sql, settings: CommandSettings): Sweep[] {
  return [deleteRejectedCommands(sql, settings)];
}
