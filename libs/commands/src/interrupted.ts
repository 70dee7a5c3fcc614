/** Commands whose execution was interrupted: they have no response, and their lease has ended. Workflows finish them. */
import type { OperationId } from '@carecover/contract';
import type { Caller, Tenant } from '@carecover/domain';
import { atProjectTime, type Db, type Sql } from '@carecover/postgres';
import { forAllOf } from '@carecover/process';
import { enqueueSignals, type NewSignal } from '@carecover/temporal';
import { type Executors, finishCommand } from './execute';

/** An interrupted command, as its resource's workflow receives it. */
export interface InterruptedCommand {
  readonly commandId: string;
  readonly operation: OperationId;
}

/** Maximum number of interrupted commands that one query returns. */
const BATCH = 100;

/** Reads the interrupted commands that the resource's workflow must finish, oldest first. */
export async function interruptedCommandsOf(
  db: Db,
  tenant: Tenant,
  workflowId: string,
): Promise<InterruptedCommand[]> {
  const rows = await db<InterruptedCommand[]>`
    select id as "commandId", operation from pending_commands join commands using (id)
    where workflow_id = ${workflowId} and project_id = ${tenant} and leased_until < clock_timestamp()
    order by id limit ${BATCH}`;
  return [...rows];
}

/**
 * The time in seconds after which a workflow is asked again to finish a command that it neither finished nor tried since. It is longer than
 * the time between two attempts of the workflow's activity, which need no signal.
 */
const NEXT_SIGNAL_S = 90;

/**
 * Makes the sweep that asks workflows to finish interrupted commands, oldest lease first. A command that is tried is left out, so that
 * commands which can't be finished do not hide the others.
 *
 * @param afterEnqueued called after signals were enqueued
 * @returns the pass; it resolves to whether there may be more
 */
export function signalInterrupted(sql: Sql, afterEnqueued: () => void): () => Promise<boolean> {
  return async () => {
    const found = await sql.begin(async (tx) => {
      const rows = await tx<InterruptedRow[]>`
        with interrupted as (
          -- Like a transaction that decides a command, the sweep locks the command row first. It leaves out commands that are decided now.
          select id, attempted_at is not null as was_attempted from pending_commands join commands using (id)
          where leased_until < clock_timestamp()
            and (attempted_at is null or attempted_at < clock_timestamp() - ${NEXT_SIGNAL_S} * interval '1 second')
          order by leased_until limit ${BATCH} for update of commands skip locked
        )
        update pending_commands pending set attempted_at = clock_timestamp()
        from commands, interrupted where pending.id = interrupted.id and commands.id = pending.id
        returning workflow_id, project_id, caller, operation, leased_until, was_attempted`;
      await enqueueSignals(tx, rows.map(toSignal));
      return rows.length;
    });
    if (found > 0) afterEnqueued();
    return found === BATCH;
  };
}

interface InterruptedRow {
  readonly workflow_id: string;
  readonly project_id: Tenant;
  readonly caller: Caller;
  readonly operation: OperationId;
  readonly leased_until: Date;
  readonly was_attempted: boolean;
}

/** Makes the signal of an interrupted command. Only the first one names the interruption, so that a long outage makes no long list. */
function toSignal(row: InterruptedRow): NewSignal {
  const { workflow_id, project_id, caller, operation, leased_until, was_attempted } = row;
  const interruption = {
    what: `${operation} interrupted`,
    at: leased_until.toISOString(),
    actor: caller.authority,
    requestId: caller.requestId,
  };
  return {
    resource: { id: workflow_id, tenant: project_id, environment: caller.environment },
    changes: was_attempted ? [] : [interruption],
  };
}

/** Maximum number of interrupted commands that a service without workflows finishes in one pass. */
const FINISHED_PER_PASS = 20;

/**
 * Makes the sweep that finishes interrupted commands of a service without workflows. Each pass takes those whose last attempt is the oldest,
 * so that commands which can't be finished do not hide the others. A command is finished at the time of its project.
 *
 * @returns the pass; it throws the first failure after all commands were tried
 */
export function finishInterrupted(sql: Sql, executors: Executors): () => Promise<void> {
  return async () => {
    const rows = await sql<{ id: string; tenant: Tenant }[]>`
      select id, project_id as tenant from pending_commands join commands using (id)
      where leased_until < clock_timestamp() order by attempted_at nulls first, leased_until limit ${FINISHED_PER_PASS}`;
    await forAllOf(rows, ({ id, tenant }) =>
      atProjectTime(sql, tenant, () => finishCommand(sql, executors, tenant, id)),
    );
  };
}
