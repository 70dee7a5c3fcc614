/**
 * What makes nothing wait for luck: workflows that the engine lost are started again, deadlines that passed and records that
 * claims has not heard of are looked at, and commands whose sender is gone are sent again. Failure policy: whatever fails
 * is there at the next sweep.
 */
import {
  dropCommand,
  type Engine,
  type Log,
  resendStaleCommands,
  type Sql,
  type StaleCommand,
  type Sweep,
} from '@carecover/platform';
import { workflowOf } from './remittance-workflow';

/** After so long without an answer, a command's sender has given up. */
const STALE_SECONDS = 20;
/** What is overdue or untold for so long is not about to happen by itself. */
const GRACE_SECONDS = 10;
const BATCH = 50;
/** Open remittances looked at in one sweep; a full round over all of them takes as long as there are many. */
const ROUND_STEP = 50;

interface Owned {
  readonly id: string;
  readonly project_id: string;
  readonly environment: 'sandbox' | 'production';
}

export function sweeps(sql: Sql, engine: Engine, log: Log): Sweep[] {
  let roundAt = '';

  async function wake(rows: readonly Owned[]): Promise<void> {
    for (const { id, project_id: tenant, environment } of rows) {
      if (!(await engine.poke(id, workflowOf(id, { tenant, environment }), 'wake'))) return;
    }
  }

  async function deadlinesPassed(): Promise<void> {
    await wake(
      await sql<Owned[]>`
      select id, project_id, environment from remittances
      where status = 'received' and deadline < (select platform.now()) - ${GRACE_SECONDS} * interval '1 second'
      order by deadline limit ${BATCH}`,
    );
  }

  async function recordsUntold(): Promise<void> {
    await wake(
      await sql<Owned[]>`
      select id, project_id, environment from remittances where id in (
        select remittance_id from claims_records
        where told_at is null and created_at < (select platform.now()) - ${GRACE_SECONDS} * interval '1 second'
        order by created_at limit ${BATCH})`,
    );
  }

  async function workflowsLost(): Promise<void> {
    const rows = await sql<Owned[]>`
      select id, project_id, environment from remittances
      where status <> 'reconciled' and id > ${roundAt} order by id limit ${ROUND_STEP}`;
    for (const { id, project_id: tenant, environment } of rows) {
      if (!(await engine.ensureRunning(id, workflowOf(id, { tenant, environment })))) return;
    }
    roundAt = rows.length < ROUND_STEP ? '' : (rows.at(-1)?.id ?? '');
  }

  async function sendAgain(command: StaleCommand, updateId: string): Promise<void> {
    const { id: commandId, operation, caller } = command;
    const remittanceId = await remittanceOf(command);
    // About nothing of its project: its sender went before it could be refused.
    if (remittanceId === null) return dropCommand(sql, commandId);
    const update =
      operation === 'createRemittance' ? 'record' : operation === 'createSettlement' ? 'observe' : 'reverse';
    const { authority, requestId } = caller;
    const message = { commandId, authority, requestId };
    await engine.command(remittanceId, workflowOf(remittanceId, caller), update, message, updateId);
  }

  async function remittanceOf({
    id,
    operation,
    resource_id: resourceId,
    caller: { tenant },
  }: StaleCommand): Promise<string | null> {
    if (operation === 'createRemittance') return resourceId;
    const [row] =
      operation === 'createSettlement'
        ? await sql<{ id: string }[]>`
            select id from remittances
            where id = (select body ->> 'remittance_id' from commands where id = ${id}) and project_id = ${tenant}`
        : await sql<{ id: string }[]>`
            select remittance_id as id from settlements where id = ${resourceId} and project_id = ${tenant}`;
    return row?.id ?? null;
  }

  return [
    {
      name: 'remittance commands without an answer',
      run: resendStaleCommands(sql, STALE_SECONDS, log, sendAgain),
    },
    { name: 'remittances past their deadline', run: deadlinesPassed },
    { name: 'records that claims has not heard of', run: recordsUntold },
    { name: 'remittances without a workflow', run: workflowsLost },
  ];
}
