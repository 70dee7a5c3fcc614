/**
 * Sweeps that complete work after a crash or an outage: pending commands without a sender, open pre-authorizations without a workflow (for
 * example after a restore), and overdue pre-authorizations. Every sweep can run at any time and on several replicas at once.
 */
import {
  type Log,
  resendStaleCommands,
  type Sql,
  type Sweep,
  type TemporalCommands,
} from '@carecover/platform';
import { findOverdue, pageOfWaiting } from './store/preauthorizations';
import { expireIfDue } from './use-cases/expire-overdue';
import { isPreauthorizationOperation, sendCommand, signalReviews, startMissing } from './workflow';

/** After this time without a response, a command's sender has ended. */
const STALE_S = 15;
/** A deadline that is overdue for this time was missed by its workflow. */
const GRACE_S = 5;
/** Pre-authorizations per sweep. */
const BATCH = 200;

/** Creates the sweeps of benefits. */
export function benefitsSweeps(
  sql: Sql,
  engine: Pick<TemporalCommands, 'command' | 'ensureAllRunning' | 'signalReview'>,
  log: Log,
): Sweep[] {
  let lastCheckedId = '';

  const sendAgain = resendStaleCommands(sql, STALE_S, log, async (command, updateId) => {
    const { id, operation, resource_id: resourceId, caller } = command;
    if (!isPreauthorizationOperation(operation)) return;
    await sendCommand(engine, { id, resourceId, updateId, operation, caller });
  });

  /** Checks one page of the pre-authorizations that wait for a deadline per pass, cyclically. */
  async function startMissingWorkflows(): Promise<void> {
    const rows = await pageOfWaiting(sql, lastCheckedId, GRACE_S, BATCH);
    const before = lastCheckedId;
    // Also if Temporal rejects one of them: the next pass reads the next page.
    lastCheckedId = rows.length < BATCH ? '' : (rows.at(-1)?.id ?? '');
    if (!(await startMissing(engine, rows))) lastCheckedId = before;
  }

  /** Expires overdue ones in this process, so that no deadline depends on Temporal, and then signals their workflows. */
  async function expireOverdue(): Promise<void> {
    const rows = await findOverdue(sql, GRACE_S, BATCH);
    for (const { id, tenant } of rows) await expireIfDue(sql, tenant, id);
    await signalReviews(engine, rows);
  }

  return [
    { name: 'stale commands', run: sendAgain },
    { name: 'pre-authorizations without a workflow', run: startMissingWorkflows },
    { name: 'overdue pre-authorizations', run: expireOverdue },
  ];
}
