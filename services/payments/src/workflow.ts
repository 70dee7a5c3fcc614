/**
 * Description of the remittance workflow for its senders (its type, task queue, Updates and signal), and the sweeps that complete its work
 * after a crash, an outage or a restore. The workflow's ID is the remittance's ID. The workflow's code is in `workflows/remittance`.
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

/** The workflow of a remittance, which also executes the commands that create and reverse the remittance's settlements. */
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

/** A command without a response after this time is sent again, because its sender no longer waits. */
const STALE_S = 20;
/** Remittances whose deadline passed or whose notification was enqueued within this time are left to their workflows. */
const GRACE_S = 10;
/** Maximum number of remittances that one run of a sweep reads. */
const BATCH = 50;

/** Sends commands and signals to the workflows of remittances. */
export class RemittanceWorkflows {
  constructor(private readonly temporal: TemporalCommands) {}

  /**
   * Sends a command to the workflow of a remittance, and waits until the workflow has executed it.
   *
   * @throws ApiError with the code with which the workflow rejects the command, or `service_unavailable`; CommandGone if the command is
   *   deleted
   */
  async execute(command: SentCommand, remittanceId: string): Promise<void> {
    await this.temporal.command(remittanceWorkflow, command, remittanceId);
  }

  /** Starts the workflows of those of these remittances whose workflow does not run. Returns their number; null if Temporal is unavailable. */
  ensureAllRunning(remittances: readonly OwnedResource[]): Promise<number | null> {
    return this.temporal.ensureAllRunning(remittanceWorkflow, remittances);
  }

  /** Signals the workflows of these remittances to read the remittance's state again, and starts those that do not run. */
  async review(remittances: readonly OwnedResource[]): Promise<void> {
    await sendAll(remittances, (row) => this.temporal.signalReview(remittanceWorkflow, row));
  }
}

/** Finds the ID of the remittance whose workflow executes a command; undefined if the project has no such remittance. */
async function findRemittanceId(
  sql: Sql,
  { id, operation, resourceId, caller: { tenant } }: SentCommand,
): Promise<string | undefined> {
  if (operation === 'createRemittance') return resourceId;
  if (operation === 'createSettlement') return findCommandsRemittanceId(sql, tenant, id);
  return (await findSettlement(sql, tenant, resourceId))?.remittance_id;
}

/** Creates the sweeps of remittances. Several processes can run the same sweep at once. */
export function remittanceSweeps(sql: Sql, workflows: RemittanceWorkflows, log: Log): Sweep[] {
  const resendCommands = resendStaleCommands(sql, STALE_S, log, async (command) => {
    const remittanceId = await findRemittanceId(sql, command);
    // The command names no remittance. Its sender ended before it could delete the command.
    if (remittanceId === undefined) return dropCommand(sql, command.id);
    await workflows.execute(command, remittanceId);
  });

  const startMissing = startMissingWorkflows(
    BATCH,
    (afterId, limit) => findOpenRemittances(sql, afterId, limit),
    (page) => workflows.ensureAllRunning(page),
    log,
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
