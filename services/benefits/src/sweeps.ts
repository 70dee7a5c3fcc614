/**
 * Sweeps that complete work after a crash or an outage: commands that are pending but whose sender has ended, open pre-authorizations
 * without a workflow (for example after a restore), overdue pre-authorizations, and workflows that lost an Update. Several processes can run the same sweep at once.
 */
import {
  type Log,
  type ReviewedWorkflows,
  resendStaleCommands,
  type Sql,
  type Sweep,
  signalOutdatedWorkflows,
  startMissingWorkflows,
  type TemporalCommands,
} from '@carecover/platform';
import { preauthorizationWorkflow } from '@carecover/workflow-preauthorization/definition';
import { findOverdue, pageOfWaiting, readStatuses } from './store/preauthorizations';
import { expireIfDue } from './use-cases/expire-overdue';

/** A command without a response after this time is sent again, because its sender no longer waits. */
const STALE_S = 15;
/** A pre-authorization that is overdue for this time is expired by the sweep, because its workflow is late. */
const GRACE_S = 5;
/** Maximum number of pre-authorizations that one run of a sweep reads per query. */
const BATCH = 200;

/**
 * The configuration of the signals that workflows of pre-authorizations receive after a claim's use. Such a signal starts no workflow. If
 * the claim releases the pre-authorization, the sweep for missing workflows starts the workflow.
 */
export const reviewedWorkflows: ReviewedWorkflows = {
  workflow: preauthorizationWorkflow,
  // The signals only end runs, so they are sent in small batches with pauses, in which Temporal executes commands: ending one run takes two
  // thirds of the processor time of a claim's submission.
  batch: 5,
  pauseMs: 1_000,
  findWaiting: async () => [],
};

/** Creates the sweeps of benefits. */
export function benefitsSweeps(
  sql: Sql,
  engine: Pick<TemporalCommands, 'command' | 'ensureAllRunning' | 'listRunning' | 'signalRunning'>,
  log: Log,
): Sweep[] {
  /**
   * Expires overdue pre-authorizations in this process, so that no deadline depends on Temporal. The workflow of an expired
   * pre-authorization ends when its timer fires.
   */
  async function expireOverdue(): Promise<void> {
    const rows = await findOverdue(sql, GRACE_S, BATCH);
    for (const { id, tenant } of rows) await expireIfDue(sql, tenant, id);
  }

  return [
    {
      name: 'stale commands',
      run: resendStaleCommands(sql, STALE_S, log, (command) =>
        engine.command(preauthorizationWorkflow, command),
      ),
    },
    {
      name: 'pre-authorizations without a workflow',
      run: startMissingWorkflows(
        BATCH,
        (afterId, limit) => pageOfWaiting(sql, afterId, GRACE_S, limit),
        (page) => engine.ensureAllRunning(preauthorizationWorkflow, page),
        log,
      ),
    },
    { name: 'overdue pre-authorizations', run: expireOverdue },
    {
      name: 'workflows that show an outdated status of their pre-authorization',
      run: signalOutdatedWorkflows(engine, preauthorizationWorkflow, (ids) => readStatuses(sql, ids)),
    },
  ];
}
