/**
 * The resource workflow of remittances: its Updates and Signals, how it is started and addressed, and the sweeps that complete its work
 * after a crash, an outage or a restore. Its ID is the remittance's ID. What a run does is in `workflows/remittance`.
 */
import type { OperationId } from '@carecover/contract';
import {
  dropCommand,
  type Log,
  type OwnedResource,
  type ResourceWorkflow,
  resendStaleCommands,
  type SentCommand,
  type Sql,
  type Sweep,
  sendAll,
  startMissingWorkflows,
  type TemporalCommands,
} from '@carecover/platform';
import type { RemittanceSignal, RemittanceUpdate } from '@carecover/workflow-remittance';
import {
  findCommandsRemittanceId,
  findOpenRemittances,
  findOverdueRemittances,
  findUnrecordedRemittances,
} from './store/remittances';
import { findSettlement } from './store/settlements';

/** The workflow of a remittance. It also executes the commands of the remittance's settlements. */
export const remittanceWorkflow = {
  type: 'remittanceWorkflow',
  taskQueue: 'payments',
  updates: { createRemittance: 'record', createSettlement: 'observe', reverseSettlement: 'reverse' },
  signal: 'review',
  summaryOf: ({ tenant }) => `Remittance of ${tenant}`,
} as const satisfies ResourceWorkflow & {
  updates: Partial<Record<OperationId, RemittanceUpdate>>;
  signal: RemittanceSignal;
};

export type RemittanceCommand = keyof typeof remittanceWorkflow.updates;

/** After this time without a response, a command's sender has ended. */
const STALE_S = 20;
/** A deadline that is overdue, or a notification that is pending, for this time was missed by its workflow. */
const GRACE_S = 10;
/** Remittances per sweep. */
const BATCH = 50;

/** Sends commands and signals to the workflows of remittances. */
export class RemittanceWorkflows {
  constructor(private readonly temporal: TemporalCommands) {}

  /**
   * Executes a command in its remittance's workflow, which executes one command at a time.
   *
   * @throws ApiError with the workflow's code, or `service_unavailable`; CommandGone if the command was rejected before
   */
  async execute(command: SentCommand, remittanceId: string): Promise<void> {
    await this.temporal.command(remittanceWorkflow, command, remittanceId);
  }

  /** Starts the workflows of those remittances that have none. Returns false if Temporal is unavailable. */
  ensureAllRunning(remittances: readonly OwnedResource[]): Promise<boolean> {
    return this.temporal.ensureAllRunning(remittanceWorkflow, remittances);
  }

  /** Signals the workflows to read their remittances' states again, and starts those that do not run. */
  async review(remittances: readonly OwnedResource[]): Promise<void> {
    await sendAll(remittances, (row) => this.temporal.signalReview(remittanceWorkflow, row));
  }
}

/** Finds the ID of a command's remittance; undefined if the project has no such remittance. */
async function findRemittanceId(
  sql: Sql,
  { id, operation, resourceId, caller: { tenant } }: SentCommand,
): Promise<string | undefined> {
  if (operation === 'createRemittance') return resourceId;
  if (operation === 'createSettlement') return findCommandsRemittanceId(sql, tenant, id);
  return (await findSettlement(sql, tenant, resourceId))?.remittance_id;
}

/** Makes the sweeps of remittances. Each can run at any time, and on several replicas at once. */
export function remittanceSweeps(sql: Sql, workflows: RemittanceWorkflows, log: Log): Sweep[] {
  const resendCommands = resendStaleCommands(sql, STALE_S, log, async (command) => {
    const remittanceId = await findRemittanceId(sql, command);
    // The sender ended before it could reject the command.
    if (remittanceId === undefined) return dropCommand(sql, command.id);
    await workflows.execute(command, remittanceId);
  });

  const startMissing = startMissingWorkflows(
    BATCH,
    (afterId, limit) => findOpenRemittances(sql, afterId, limit),
    (page) => workflows.ensureAllRunning(page),
  );

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
