/**
 * What a crash or an absence left undone, done again: commands whose sender is gone, open claims whose workflow the engine lost
 * (or, after a restore, never had), deadlines that passed without effect, and ended claims of which benefits has not heard.
 * Every sweep is safe at any time and on several replicas at once.
 */
import {
  type Log,
  type Owned,
  resendStaleCommands,
  type Sql,
  type Sweep,
  sendAll,
  type TemporalCommands,
} from '@carecover/platform';
import { isClaimCommand, updateOf, workflowOf } from './workflow';

/** After so long without an answer, a command's sender has given up. */
const STALE_S = 15;
/** What is overdue for so long is not about to happen by itself. */
const GRACE_S = 5;
/** Claims looked at in one sweep. */
const BATCH = 200;

export function claimsSweeps(sql: Sql, engine: TemporalCommands, log: Log): Sweep[] {
  let roundAt = '';

  const sendAgain = resendStaleCommands(sql, STALE_S, log, async (command, updateId) => {
    const { id: commandId, operation, resource_id: id, caller } = command;
    if (!isClaimCommand(operation)) return;
    const message = { commandId, authority: caller.authority, requestId: caller.requestId };
    await engine.command(id, workflowOf(id, caller), updateOf[operation], message, updateId);
  });

  /** A page of the open claims at a time, round and round. */
  async function startMissing(): Promise<void> {
    const rows = await sql<Owned[]>`
      select id, project_id as tenant, environment from claims
      where status in ('submitted', 'queried', 'approved', 'partially_approved')
        and id > ${roundAt} and last_recorded_at < (select platform.now()) - ${GRACE_S} * interval '1 second'
      order by id limit ${BATCH}`;
    const workflows = new Map(rows.map((row) => [row.id, workflowOf(row.id, row)]));
    const before = roundAt;
    // Also where Temporal rejects one of them: the next page has its turn.
    roundAt = rows.length < BATCH ? '' : (rows.at(-1)?.id ?? '');
    if (!(await engine.ensureAllRunning(workflows))) roundAt = before;
  }

  async function signalOverdue(): Promise<void> {
    // The clock is asked in a subquery, once: asked for each row, it could not lead into the index of the deadlines.
    const rows = await sql<Owned[]>`
      select c.id, c.project_id as tenant, c.environment from information_requests r join claims c on c.id = r.claim_id
      where r.status = 'open' and r.due_at < (select platform.now()) - ${GRACE_S} * interval '1 second'
      order by r.due_at limit ${BATCH}`;
    await sendAll(rows, (row) => engine.signalReview(row.id, workflowOf(row.id, row), 'recorded'));
  }

  /** A run that is there tries by itself until benefits answers; signals would only lengthen its history. */
  async function freeEnded(): Promise<void> {
    const rows = await sql<Owned[]>`
      select id, project_id as tenant, environment from claims
      where status in ('cancelled', 'reversed') and released_at is null
        and last_recorded_at < (select platform.now()) - ${GRACE_S} * interval '1 second'
      order by id limit ${BATCH}`;
    await sendAll(rows, (row) => engine.ensureRunning(row.id, workflowOf(row.id, row)));
  }

  return [
    { name: 'claim commands without an answer', run: sendAgain },
    { name: 'open claims without a workflow', run: startMissing },
    { name: 'information requests past their deadline', run: signalOverdue },
    { name: 'ended claims that still use something', run: freeEnded },
  ];
}
