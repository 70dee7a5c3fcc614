/**
 * What a crash or an absence left undone: open pre-authorizations whose workflow never started or was lost (also after a
 * restore), deadlines that passed without effect, commands whose sender is gone. Each sweep is safe at any time and on several replicas at once.
 */
import { type Engine, type Log, resendStaleCommands, type Sql, type Sweep } from '@carecover/platform';
import { expireIfDue } from './activities/preauthorization-steps';
import {
  preauthorizationWorkflow,
  UPDATE_OF_OPERATION,
  type WorkflowOf,
  type Workflows,
} from './preauthorization-workflow';

const BATCH = 200;
/** How long the workflow's own timer, its start or a command's sender has before the sweep steps in. */
const PATIENCE_S = 5;

export interface SweepDependencies {
  readonly sql: Sql;
  readonly engine: Pick<Engine, 'command' | 'ensureAllRunning'>;
  readonly workflows: Pick<Workflows, 'wake'>;
  readonly log: Log;
}

export function benefitsSweeps(deps: SweepDependencies): Sweep[] {
  return [
    { name: 'pre-authorizations without a workflow', run: startMissing(deps) },
    { name: 'overdue pre-authorizations', run: () => expireOverdue(deps) },
    { name: 'stale commands', run: sendAgain(deps) },
  ];
}

/** A page at a time, round and round, of those that wait for a deadline. */
function startMissing({ sql, engine }: SweepDependencies): () => Promise<void> {
  let roundAt = '';
  return async () => {
    const rows = await sql<WorkflowOf[]>`
      select id, project_id, environment from preauthorizations
      where status in ('pending', 'approved') and used_by_claim_id is null
        and id > ${roundAt} and updated_at < (select platform.now()) - ${PATIENCE_S} * interval '1 second'
      order by id limit ${BATCH}`;
    const isDone = await engine.ensureAllRunning(
      new Map(rows.map((row) => [row.id, preauthorizationWorkflow(row)])),
    );
    if (isDone) roundAt = rows.length < BATCH ? '' : (rows.at(-1)?.id ?? '');
  };
}

/** Expires them here, so that no deadline waits for the engine; then tells their workflows. */
async function expireOverdue({ sql, workflows }: SweepDependencies): Promise<void> {
  // The clock is asked in a subquery, once: asked for each row, it could not lead into the indexes of the deadlines.
  const overdueSince = sql`(select platform.now()) - ${PATIENCE_S} * interval '1 second'`;
  const rows = await sql<WorkflowOf[]>`
    (select id, project_id, environment from preauthorizations p
     where status = 'pending' and decide_by < ${overdueSince}
       and not exists (select 1 from commands c where c.id = p.deciding_command_id and c.answer_status is null)
     order by decide_by limit ${BATCH})
    union all
    (select id, project_id, environment from preauthorizations
     where status = 'approved' and used_by_claim_id is null and valid_until < ${overdueSince}
     order by valid_until limit ${BATCH})`;
  for (const row of rows) {
    await expireIfDue(sql, { resourceId: row.id, tenant: row.project_id, environment: row.environment });
  }
  for (const row of rows) {
    const isTold = await workflows.wake(row);
    if (!isTold) return;
  }
}

function sendAgain({ sql, engine, log }: SweepDependencies): () => Promise<void> {
  return resendStaleCommands(sql, PATIENCE_S * 3, log, async (command, updateId) => {
    const update = updateOf(command);
    if (update === null) return;
    const { id: commandId, resource_id: id, caller } = command;
    const { tenant, environment, authority, requestId } = caller;
    const workflow = preauthorizationWorkflow({ id, project_id: tenant, environment });
    await engine.command(id, workflow, update, { commandId, authority, requestId }, updateId);
  });
}

function updateOf({
  operation,
  caller,
}: {
  operation: string;
  caller: { authority: string };
}): string | null {
  if (operation === 'cancelPreauthorization' && caller.authority === 'service:care')
    return 'cancelForBooking';
  return UPDATE_OF_OPERATION[operation] ?? null;
}
