/**
 * What a crash or an absence left undone, done again: commands whose sender is gone, open remittances whose workflow the engine
 * lost, deadlines that passed without effect, and records that claims has not heard of. Every sweep is safe at any time and on
 * several replicas at once.
 */
import {
  dropCommand,
  type Log,
  type OwnedResource,
  resendStaleCommands,
  type Sql,
  type StaleCommand,
  type Sweep,
  sendAll,
  type TemporalCommands,
} from '@carecover/platform';
import { isRemittanceCommand, type RemittanceCommand, updateOf, workflowOf } from './workflow';

/** After so long without an answer, a command's sender has given up. */
const STALE_S = 20;
/** What is overdue or pending for so long is not about to happen by itself. */
const GRACE_S = 10;
/** Remittances looked at in one sweep. */
const BATCH = 50;

/** The remittance that a command is about; null where its project has none such. */
async function remittanceOf(
  sql: Sql,
  operation: RemittanceCommand,
  { id, resource_id, caller: { tenant } }: StaleCommand,
): Promise<string | null> {
  if (operation === 'createRemittance') return resource_id;
  const [row] =
    operation === 'createSettlement'
      ? await sql<{ id: string }[]>`
          select id from remittances
          where id = (select body ->> 'remittance_id' from commands where id = ${id}) and project_id = ${tenant}`
      : await sql<{ id: string }[]>`
          select remittance_id as id from settlements where id = ${resource_id} and project_id = ${tenant}`;
  return row?.id ?? null;
}

export function paymentsSweeps(sql: Sql, engine: TemporalCommands, log: Log): Sweep[] {
  let roundAt = '';

  const sendAgain = resendStaleCommands(sql, STALE_S, log, async (command, updateId) => {
    const { id: commandId, operation, caller } = command;
    if (!isRemittanceCommand(operation)) return;
    const id = await remittanceOf(sql, operation, command);
    // Its sender went before it could be refused.
    if (id === null) return dropCommand(sql, commandId);
    const message = { commandId, authority: caller.authority, requestId: caller.requestId };
    await engine.command(id, workflowOf(id, caller), updateOf[operation], message, updateId);
  });

  /** A page of the open remittances at a time, round and round. */
  async function startMissing(): Promise<void> {
    const rows = await sql<OwnedResource[]>`
      select id, project_id as tenant, environment from remittances
      where status <> 'reconciled' and id > ${roundAt} order by id limit ${BATCH}`;
    const workflows = new Map(rows.map((row) => [row.id, workflowOf(row.id, row)]));
    const before = roundAt;
    // Also where Temporal rejects one of them: the next page has its turn.
    roundAt = rows.length < BATCH ? '' : (rows.at(-1)?.id ?? '');
    if (!(await engine.ensureAllRunning(workflows))) roundAt = before;
  }

  async function wake(rows: readonly OwnedResource[]): Promise<void> {
    await sendAll(rows, (row) => engine.signalReview(row.id, workflowOf(row.id, row), 'wake'));
  }

  async function signalOverdue(): Promise<void> {
    await wake(
      await sql<OwnedResource[]>`
        select id, project_id as tenant, environment from remittances
        where status = 'received' and deadline < (select platform.now()) - ${GRACE_S} * interval '1 second'
        order by deadline limit ${BATCH}`,
    );
  }

  async function signalPending(): Promise<void> {
    await wake(
      await sql<OwnedResource[]>`
        select id, project_id as tenant, environment from remittances where id in (
          select remittance_id from claims_records
          where told_at is null and created_at < (select platform.now()) - ${GRACE_S} * interval '1 second'
          order by created_at limit ${BATCH})`,
    );
  }

  return [
    { name: 'remittance commands without an answer', run: sendAgain },
    { name: 'remittances without a workflow', run: startMissing },
    { name: 'remittances past their deadline', run: signalOverdue },
    { name: 'records that claims has not heard of', run: signalPending },
  ];
}
