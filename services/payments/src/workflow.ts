/**
 * The resource workflow of remittances: its Updates and Signals, how it is started and addressed, and the sweeps that complete its work
 * after a crash, an outage or a restore. Its ID is the remittance's ID. What a run does is in `workflows/remittance`.
 */
import type { OperationId } from '@carecover/contract';
import {
  type Caller,
  dropCommand,
  type Log,
  type OwnedResource,
  type Owner,
  type ResourceWorkflow,
  resendStaleCommands,
  type SentCommand,
  type Sql,
  type StaleCommand,
  type Sweep,
  sendAll,
  type TemporalCommands,
} from '@carecover/platform';
import { ENVIRONMENT, PROJECT_ID } from '@carecover/platform/workflow';
import type {
  RemittanceSignal,
  RemittanceUpdate,
  RemittanceWorkflowInput,
} from '@carecover/workflow-remittance';
import {
  findCommandsRemittanceId,
  findOpenRemittances,
  findOverdueRemittances,
  findUnrecordedRemittances,
} from './store/remittances';
import { findSettlement } from './store/settlements';

/** The Update that executes each operation. */
const updateOf = {
  createRemittance: 'record',
  createSettlement: 'observe',
  reverseSettlement: 'reverse',
} as const satisfies Partial<Record<OperationId, RemittanceUpdate>>;

type RemittanceCommand = keyof typeof updateOf;

/** The Signal on which a run reads its remittance's state again. */
const REVIEW: RemittanceSignal = 'review';

/** After this time without a response, a command's sender has ended. */
const STALE_S = 20;
/** A deadline that is overdue, or a notification that is pending, for this time was missed by its workflow. */
const GRACE_S = 10;
/** Remittances per sweep. */
const BATCH = 50;

function workflowOf(remittanceId: string, { tenant, environment }: Owner): ResourceWorkflow {
  const input: RemittanceWorkflowInput = { resourceId: remittanceId, tenant, environment };
  return {
    type: 'remittanceWorkflow',
    taskQueue: 'payments',
    args: [input],
    typedSearchAttributes: [
      { key: ENVIRONMENT, value: environment },
      { key: PROJECT_ID, value: tenant },
    ],
    staticSummary: `Remittance of ${tenant}`,
  };
}

/** Sends commands and signals to the workflows of remittances. */
export class RemittanceWorkflows {
  constructor(private readonly temporal: TemporalCommands) {}

  /**
   * Executes a command in its remittance's workflow, which executes one command at a time.
   *
   * @throws ApiError with the workflow's code, or `service_unavailable`; CommandGone if the command was rejected before
   */
  async execute(
    operation: RemittanceCommand,
    remittanceId: string,
    caller: Caller,
    { id: commandId, updateId }: Pick<SentCommand, 'id' | 'updateId'>,
  ): Promise<void> {
    const { authority, requestId } = caller;
    const message = { commandId, authority, requestId };
    const workflow = workflowOf(remittanceId, caller);
    await this.temporal.command(remittanceId, workflow, updateOf[operation], message, updateId);
  }

  /** Starts the workflows of those remittances that have none. Returns false if Temporal is unavailable. */
  ensureAllRunning(remittances: readonly OwnedResource[]): Promise<boolean> {
    return this.temporal.ensureAllRunning(
      new Map(remittances.map((row) => [row.id, workflowOf(row.id, row)])),
    );
  }

  /** Signals the workflows to read their remittances' states again, and starts those that do not run. */
  async review(remittances: readonly OwnedResource[]): Promise<void> {
    await sendAll(remittances, (row) => this.temporal.signalReview(row.id, workflowOf(row.id, row), REVIEW));
  }
}

function isRemittanceCommand(operation: string): operation is RemittanceCommand {
  return Object.hasOwn(updateOf, operation);
}

/** Finds the ID of a command's remittance; undefined if the project has no such remittance. */
async function findRemittanceId(
  sql: Sql,
  operation: RemittanceCommand,
  { id, resource_id, caller: { tenant } }: StaleCommand,
): Promise<string | undefined> {
  if (operation === 'createRemittance') return resource_id;
  if (operation === 'createSettlement') return findCommandsRemittanceId(sql, tenant, id);
  return (await findSettlement(sql, tenant, resource_id))?.remittance_id;
}

/** Makes the sweeps of remittances. Each can run at any time, and on several replicas at once. */
export function remittanceSweeps(sql: Sql, workflows: RemittanceWorkflows, log: Log): Sweep[] {
  let lastId = '';

  const resendCommands = resendStaleCommands(sql, STALE_S, log, async (command, updateId) => {
    const { id, operation, caller } = command;
    if (!isRemittanceCommand(operation)) return;
    const remittanceId = await findRemittanceId(sql, operation, command);
    // The sender ended before it could reject the command.
    if (remittanceId === undefined) return dropCommand(sql, id);
    await workflows.execute(operation, remittanceId, caller, { id, updateId });
  });

  /** Checks one page of open remittances per pass, cyclically. */
  async function startMissing(): Promise<void> {
    const rows = await findOpenRemittances(sql, lastId, BATCH);
    const before = lastId;
    // Advances also if Temporal rejects one of them, so that the next page is checked.
    lastId = rows.length < BATCH ? '' : (rows.at(-1)?.id ?? '');
    if (!(await workflows.ensureAllRunning(rows))) lastId = before;
  }

  return [
    { name: 'remittance commands without an answer', run: resendCommands },
    { name: 'remittances without a workflow', run: startMissing },
    {
      name: 'remittances past their deadline',
      run: async () => workflows.review(await findOverdueRemittances(sql, GRACE_S, BATCH)),
    },
    {
      name: 'notifications that claims has not recorded',
      run: async () => workflows.review(await findUnrecordedRemittances(sql, GRACE_S, BATCH)),
    },
  ];
}
