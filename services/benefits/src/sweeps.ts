/**
 * What a crash or an absence left undone, done again: commands whose sender is gone, open pre-authorizations whose workflow never
 * started or was lost (also after a restore), and deadlines that passed without effect. Every sweep is safe at any time and on
 * several replicas at once.
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

/** After so long without an answer, a command's sender has given up. */
const STALE_S = 15;
/** What is overdue for so long is not about to happen by itself. */
const GRACE_S = 5;
/** Pre-authorizations looked at in one sweep. */
const BATCH = 200;

/** Care's cancellation is another Update: it has an answer also where there is nothing to cancel any more. */
const isOfBooking = ({ authority }: Caller) => authority === 'service:care';

export function benefitsSweeps(
  sql: Sql,
  engine: Pick<TemporalCommands, 'command' | 'ensureAllRunning' | 'signalReview'>,
  log: Log,
): Sweep[] {
  let roundAt = '';

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

  /** A page at a time, round and round, of those that wait for a deadline. */
  async function startMissing(): Promise<void> {
    const rows = await sql<OwnedResource[]>`
      select id, project_id as tenant, environment from preauthorizations
      where status in ('pending', 'approved') and used_by_claim_id is null
        and id > ${roundAt} and updated_at < (select platform.now()) - ${GRACE_S} * interval '1 second'
      order by id limit ${BATCH}`;
    const workflows = new Map(rows.map((row) => [row.id, workflowOf(row.id, row)]));
    const before = roundAt;
    // Also where Temporal rejects one of them: the next page has its turn.
    roundAt = rows.length < BATCH ? '' : (rows.at(-1)?.id ?? '');
    if (!(await engine.ensureAllRunning(workflows))) roundAt = before;
  }

  /** Expires them here, so that no deadline waits for the engine; then tells their workflows. */
  async function expireOverdue(): Promise<void> {
    // The clock is asked in a subquery, once: asked for each row, it could not lead into the indexes of the deadlines.
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
