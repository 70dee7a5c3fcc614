/**
 * The one way to Temporal: a lazy connection and client a process, commands as Updates whose id is the command row's id.
 * Failure policy: closed; an engine or worker that does not answer within the deadline is 503, its outcome unknown, and the
 * retry under the same key joins the same Update.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { connectionOptions, type TemporalSettings } from '@carecover/setup/temporal-connection';
import {
  Client,
  Connection,
  WithStartWorkflowOperation,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
} from '@temporalio/client';
import type { Duration, SearchAttributePair } from '@temporalio/common';
import { ApiError, unavailable } from './api-error';
import { ResourceGate } from './resource-gate';
import { hasRunEnded, isTemporalAway, isTemporalRejection, unwrapFailure } from './temporal-errors';
import { isTracing } from './tracing/spans';
import { commandTracing } from './tracing/temporal';
import type { CommandMessage } from './workflow';

const COMMAND_DEADLINE_MS = 12_000;
const START_DEADLINE_MS = 3_000;

/**
 * After so long without a sign of life a worker is taken for dead and another one repeats the task. A live one whose steps take longer
 * renews its task in time.
 */
const WORKFLOW_TASK_TIMEOUT = '3s';

const ENDED_RUN_ATTEMPTS = 5;
const ENDED_RUN_PAUSE_MS = 20;

/** A run that ends at this very moment takes nothing any more; the next try begins a new one, from the facts. */
async function pastEndingRun<T>(send: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await send();
    } catch (error) {
      if (!hasRunEnded(error)) throw error;
      if (attempt === ENDED_RUN_ATTEMPTS) throw unavailable('The workflow engine');
      await sleep(ENDED_RUN_PAUSE_MS * attempt);
    }
  }
}

/**
 * Sends for each row until Temporal is away. What Temporal rejects for one row keeps no other from its turn.
 *
 * @param send gives false where Temporal is away
 * @returns false where Temporal is away
 * @throws the first rejection, once all were tried
 */
export async function sendAll<Row>(
  rows: readonly Row[],
  send: (row: Row) => Promise<boolean>,
): Promise<boolean> {
  const rejections: unknown[] = [];
  for (const row of rows) {
    try {
      if (!(await send(row))) return false;
    } catch (error) {
      rejections.push(error);
    }
  }
  if (rejections.length > 0) throw rejections[0];
  return true;
}

/** How a resource's workflow is started; its id is the resource's id, and its first act is to read the facts. */
export interface ResourceWorkflow {
  readonly type: string;
  readonly taskQueue: string;
  readonly args: unknown[];
  readonly typedSearchAttributes?: SearchAttributePair[];
  readonly staticSummary?: string;
}

export class TemporalCommands {
  private readonly gate = new ResourceGate();

  private constructor(
    readonly client: Client,
    private readonly connection: Connection,
    private readonly startOptions: { readonly workflowTaskTimeout?: Duration },
  ) {}

  /** Makes the client; connects on first use, so that a process starts while Temporal is away. */
  static create(settings: TemporalSettings): TemporalCommands {
    const connection = Connection.lazy({ ...connectionOptions(settings), connectTimeout: '3s' });
    const interceptors = isTracing() ? { workflow: [commandTracing] } : {};
    const client = new Client({ connection, namespace: settings.TEMPORAL_NAMESPACE, interceptors });
    return new TemporalCommands(client, connection, { workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT });
  }

  /**
   * For tests: an engine over an existing client. With Temporal's own task timeout, since the time-skipping server loses an Update whose
   * task times out, as it may on a busy machine.
   */
  static over(client: Client): TemporalCommands {
    return new TemporalCommands(client, client.connection as Connection, {});
  }

  /**
   * Hands a command to the resource's workflow, starting that if none runs, and waits until it is done.
   *
   * @param updateId of the Update, by which every caller joins it
   * @throws ApiError as the workflow refused, or service_unavailable; CommandGone where the command was refused before
   */
  async command(
    resourceId: string,
    workflow: ResourceWorkflow,
    update: string,
    message: CommandMessage,
    updateId: string,
  ): Promise<void> {
    await this.gate.pass(resourceId, async () => {
      const { type, ...options } = { ...workflow, ...this.startOptions };
      const send = async () => {
        const startWorkflowOperation = new WithStartWorkflowOperation(type, {
          ...options,
          workflowId: resourceId,
          workflowIdConflictPolicy: 'USE_EXISTING',
        });
        // If the Update fails, the handle is not awaited; its rejection is that of the Update.
        startWorkflowOperation.workflowHandle().catch(() => undefined);
        await this.client.workflow.executeUpdateWithStart(update, {
          args: [message],
          updateId,
          startWorkflowOperation,
        });
      };
      try {
        await this.client.withDeadline(Date.now() + COMMAND_DEADLINE_MS, () => pastEndingRun(send));
      } catch (error) {
        const known = unwrapFailure(error);
        throw known === error && isTemporalAway(error) ? unavailable('The workflow engine') : known;
      }
    });
  }

  /**
   * Starts the resource's workflow if none runs. Gives false where Temporal is away, and a sweep will do it.
   *
   * @throws what Temporal rejects
   */
  async ensureRunning(resourceId: string, workflow: ResourceWorkflow): Promise<boolean> {
    const { type, ...options } = { ...workflow, ...this.startOptions };
    return this.isDone(async () => {
      try {
        await this.client.workflow.start(type, {
          ...options,
          workflowId: resourceId,
          workflowIdConflictPolicy: 'USE_EXISTING',
        });
      } catch (error) {
        if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
      }
    });
  }

  /**
   * Starts the workflows of those resources, at most some hundred, that Temporal does not run: one query finds them. Gives false where
   * Temporal is away.
   *
   * @throws the first rejection, once all were tried
   */
  async ensureAllRunning(workflowOf: ReadonlyMap<string, ResourceWorkflow>): Promise<boolean> {
    if (workflowOf.size === 0) return true;
    const ids = [...workflowOf.keys()].map((id) => `'${id}'`).join(', ');
    const running = new Set<string>();
    try {
      const query = `ExecutionStatus = 'Running' and WorkflowId in (${ids})`;
      for await (const { workflowId } of this.client.workflow.list({ query, pageSize: workflowOf.size }))
        running.add(workflowId);
    } catch (error) {
      if (isTemporalAway(error)) return false;
      throw error;
    }
    const missing = [...workflowOf].filter(([id]) => !running.has(id));
    return sendAll(missing, ([id, workflow]) => this.ensureRunning(id, workflow));
  }

  /**
   * Sends a signal to the resource's workflow, starting it if none runs. Gives false where Temporal is away.
   *
   * @throws what Temporal rejects
   */
  async signalReview(resourceId: string, workflow: ResourceWorkflow, signal: string): Promise<boolean> {
    const { type, ...options } = { ...workflow, ...this.startOptions };
    return this.isDone(() =>
      pastEndingRun(() =>
        this.client.workflow.signalWithStart(type, {
          ...options,
          workflowId: resourceId,
          signal,
          signalArgs: [],
        }),
      ),
    );
  }

  /**
   * Sends a signal to the resource's workflow if one runs. Gives false where Temporal is away.
   *
   * @throws what Temporal rejects
   */
  async signalRunning(resourceId: string, signal: string): Promise<boolean> {
    return this.isDone(async () => {
      try {
        await this.client.workflow.getHandle(resourceId).signal(signal);
      } catch (error) {
        if (!(error instanceof WorkflowNotFoundError)) throw error;
      }
    });
  }

  /** Gives false where Temporal is away. @throws what it rejects */
  private async isDone(send: () => Promise<unknown>): Promise<boolean> {
    try {
      await this.client.withDeadline(Date.now() + START_DEADLINE_MS, send);
      return true;
    } catch (error) {
      if (isTemporalRejection(error)) throw error;
      if (isTemporalAway(error) || error instanceof ApiError) return false;
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.connection.close();
  }
}
