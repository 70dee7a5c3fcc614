/**
 * Sweeps that complete work after a crash or an outage: pending commands without a sender, open pre-authorizations without a workflow (for
 * example after a restore), and overdue pre-authorizations. Every sweep can run at any time and on several replicas at once.
 */
import {
  type Caller,
  type Log,
  type OwnedResource,
  resendStaleCommands,
  type Sql,
  type Sweep,
  sendAll,
  type TemporalCommands,
} from '@carecover/platform';
import { expireIfDue } from './activities/preauthorization-steps';
import { isPreauthorizationCommand, updateOf, workflowOf } from './workflow';

/** After this time without a response, a command's sender has ended. */
const STALE_S = 15;
/** A deadline that is overdue for this time was missed by its workflow. */
const GRACE_S = 5;
/** Pre-authorizations per sweep. */
const BATCH = 200;

/** A cancellation by care is another Update, which also succeeds if there is nothing left to cancel. */
const isOfBooking = ({ authority }: Caller) => authority === 'service:care';

/** Creates the sweeps of benefits. */
export function benefitsSweeps(
  sql: Sql,
  engine: Pick<TemporalCommands, 'command' | 'ensureAllRunning' | 'signalReview'>,
  log: Log,
): Sweep[] {
  let lastCheckedId = '';

  const sendAgain = resendStaleCommands(sql, STALE_S, log, async (command, updateId) => {
    const { id: commandId, operation, resource_id: id, caller } = command;
    if (!isPreauthorizationCommand(operation)) return;
    const update =
      operation === 'cancelPreauthorization' && isOfBooking(caller)
        ? 'cancelForBooking'
        : updateOf[operation];
    const message = { commandId, authority: caller.authority, requestId: caller.requestId };
    await engine.command(id, workflowOf(id, caller), update, message, updateId);
  });

  /** Checks one page of the pre-authorizations that wait for a deadline per pass, cyclically. */
  async function startMissing(): Promise<void> {
    const rows = await sql<OwnedResource[]>`
      select id, project_id as tenant, environment from preauthorizations
      where status in ('pending', 'approved') and used_by_claim_id is null
        and id > ${lastCheckedId} and updated_at < (select platform.now()) - ${GRACE_S} * interval '1 second'
      order by id limit ${BATCH}`;
    const workflows = new Map(rows.map((row) => [row.id, workflowOf(row.id, row)]));
    const before = lastCheckedId;
    // Also if Temporal rejects one of them: the next pass reads the next page.
    lastCheckedId = rows.length < BATCH ? '' : (rows.at(-1)?.id ?? '');
    if (!(await engine.ensureAllRunning(workflows))) lastCheckedId = before;
  }

  /** Expires overdue ones in this process, so that no deadline depends on Temporal, and then signals their workflows. */
  async function expireOverdue(): Promise<void> {
    // The subquery reads the clock once. Read per row, it would prevent the use of the indexes on deadlines.
    const overdueSince = sql`(select platform.now()) - ${GRACE_S} * interval '1 second'`;
    const rows = await sql<OwnedResource[]>`
      (select id, project_id as tenant, environment from preauthorizations p
       where status = 'pending' and decide_by < ${overdueSince}
         and not exists (select 1 from commands c where c.id = p.deciding_command_id and c.answer_status is null)
       order by decide_by limit ${BATCH})
      union all
      (select id, project_id as tenant, environment from preauthorizations
       where status = 'approved' and used_by_claim_id is null and valid_until < ${overdueSince}
       order by valid_until limit ${BATCH})`;
    for (const { id: resourceId, tenant, environment } of rows) {
      await expireIfDue(sql, { resourceId, tenant, environment });
    }
    await sendAll(rows, (row) => engine.signalReview(row.id, workflowOf(row.id, row), 'wake'));
  }

  return [
    { name: 'stale commands', run: sendAgain },
    { name: 'pre-authorizations without a workflow', run: startMissing },
    { name: 'overdue pre-authorizations', run: expireOverdue },
  ];
}
