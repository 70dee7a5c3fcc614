/**
 * Sweeps that complete work after a crash or an outage: pending commands without a sender, open remittances without a workflow (for
 * example after a restore), overdue remittances, and notifications that claims has not recorded. Every sweep can run at any time and on
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

/** After this time without a response, a command's sender has ended. */
const STALE_S = 20;
/** A deadline that is overdue, or a notification that is pending, for this time was missed by its workflow. */
const GRACE_S = 10;
/** Remittances per sweep. */
const BATCH = 50;

/** Reads the ID of a command's remittance; null if the project has no such remittance. */
async function findRemittanceId(
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
    const id = await findRemittanceId(sql, operation, command);
    // The sender ended before it could reject the command.
    if (id === null) return dropCommand(sql, commandId);
    const message = { commandId, authority: caller.authority, requestId: caller.requestId };
    await engine.command(id, workflowOf(id, caller), updateOf[operation], message, updateId);
  });

  /** Checks one page of open remittances per pass, cyclically. */
  async function startMissing(): Promise<void> {
    const rows = await sql<OwnedResource[]>`
      select id, project_id as tenant, environment from remittances
      where status <> 'reconciled' and id > ${roundAt} order by id limit ${BATCH}`;
    const workflows = new Map(rows.map((row) => [row.id, workflowOf(row.id, row)]));
    const before = roundAt;
    // Advances also if Temporal rejects one of them, so that the next page is checked.
    roundAt = rows.length < BATCH ? '' : (rows.at(-1)?.id ?? '');
    if (!(await engine.ensureAllRunning(workflows))) roundAt = before;
  }

  async function signalAll(rows: readonly OwnedResource[]): Promise<void> {
    await sendAll(rows, (row) => engine.signalReview(row.id, workflowOf(row.id, row), 'wake'));
  }

  async function signalOverdue(): Promise<void> {
    await signalAll(
      await sql<OwnedResource[]>`
        select id, project_id as tenant, environment from remittances
        where status = 'received' and deadline < (select platform.now()) - ${GRACE_S} * interval '1 second'
        order by deadline limit ${BATCH}`,
    );
  }

  async function signalPending(): Promise<void> {
    await signalAll(
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
    { name: 'notifications that claims has not recorded', run: signalPending },
  ];
}
