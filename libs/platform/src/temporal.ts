/**
 * Sends commands and signals to Temporal. A process has one connection, opened on first use. A command is an Update whose ID is the
 * ID of the command row.
 *
 * Failure policy: if Temporal or a worker does not respond within the deadline, the command fails with 503 and its outcome is unknown. A
 * connection that does not respond is replaced within nine seconds, and its commands are sent again.
 * A retry under the same idempotency key joins the same Update.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { connectionOptions, type TemporalSettings } from '@carecover/setup/temporal-connection';
import { isRunning, listPages } from '@carecover/setup/workflow-lists';
import {
  Client,
  Connection,
  WithStartWorkflowOperation,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
} from '@temporalio/client';
import type { Duration } from '@temporalio/common';
import { ApiError, unavailable } from './api-error';
import type { SentCommand } from './commands';
import { type RejectedCommand, readRejectedCommands } from './rejected-commands';
import { ResourceGate } from './resource-gate';
import { type ResourceWorkflow, type SignalledWorkflow, startOptionsOf } from './resource-workflow';
import {
  areTasksFailing,
  hasRunEnded,
  isTemporalRejection,
  isTemporalUnavailable,
  unwrapFailure,
} from './temporal-errors';
import type { OwnedResource } from './tenant';
import { isTracing } from './tracing/spans';
import { commandTracing } from './tracing/temporal';
import type { CommandMessage } from './workflow';

const COMMAND_DEADLINE_MS = 12_000;
const START_DEADLINE_MS = 3_000;

/**
 * Finds a connection whose server or network path does not respond, so that a command is sent again over another one before its deadline. A
 * server admits, by default, only one ping in ten seconds on a connection on which it sends nothing. So none are sent while no request is in
 * progress, and the deployments set `frontend.keepAliveMinTime` to less than the time here.
 */
const KEEPALIVE = {
  'grpc.keepalive_time_ms': 5_000,
  'grpc.keepalive_timeout_ms': 4_000,
  'grpc.keepalive_permit_without_calls': 0,
};

/**
 * If a worker does not respond within this time, another worker repeats its workflow task. A running worker whose local activities
 * take longer renews the task in time.
 */
const WORKFLOW_TASK_TIMEOUT = '3s';

/**
 * The first and the longest pause in milliseconds before a message that no run received is sent again. Each pause is twice as long as the
 * previous one.
 */
const RESEND_PAUSE_MS = 20;
const LONGEST_RESEND_PAUSE_MS = 500;

/** The maximum number of concurrent requests with which a sweep reads the states of workflows. */
const READS_AT_ONCE = 4;

/**
 * Calls `send` until a run has received the message. If a run ends before it receives the message, the next call starts a new run, which
 * reads the facts. A command can be sent to several runs in turn, because a run of a resource in a final status ends after it has executed
 * some commands.
 *
 * @param deadlineMs the time in epoch milliseconds after which `send` is not called again
 * @throws ApiError `service_unavailable` at the deadline
 */
async function sendUntilReceived<T>(
  deadlineMs: number,
  wasNotReceived: (error: unknown) => boolean,
  send: () => Promise<T>,
): Promise<T> {
  for (let pauseMs = RESEND_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_RESEND_PAUSE_MS)) {
    try {
      return await send();
    } catch (error) {
      if (!wasNotReceived(error)) throw error;
      // Half of the pause is random, so that the commands of one resource are not all sent again at the same time.
      const restMs = pauseMs * (0.5 + Math.random() / 2);
      if (Date.now() + restMs >= deadlineMs) throw unavailable('The processing of commands');
      await sleep(restMs);
    }
  }
}

/**
 * Returns whether Temporal rejected an Update although a repetition can succeed: the run has ended, or its workflow tasks fail or time out.
 * Workflow tasks stop failing as soon as the worker is replaced or less busy.
 */
const wasUpdateNotReceived = (error: unknown) => hasRunEnded(error) || areTasksFailing(error);

/**
 * Sends one message per row, in sequence, until Temporal is unavailable. A rejected message does not prevent later ones.
 *
 * @param send sends the message of a row; resolves to false if Temporal is unavailable
 * @returns false if Temporal is unavailable
 * @throws the first rejection, after all messages were sent
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

/** The condition of a visibility query that a workflow has one of these IDs. */
const hasId = (ids: readonly string[]) => `WorkflowId in (${ids.map((id) => `'${id}'`).join(', ')})`;

/** The state of a workflow's run, as operators see it. */
export interface WorkflowRun {
  readonly namespace: string;
  readonly run_id: string;
  /** The status in lower case, such as `running` or `completed`. */
  readonly status: string;
  readonly started_at: string;
  readonly closed_at: string | null;
}

/** A running workflow, with the status that its search attribute shows; null if it shows none. */
export interface ShownStatus {
  readonly id: string;
  readonly status: string | null;
}

export class TemporalCommands {
  private readonly gate = new ResourceGate();

  private constructor(
    readonly client: Client,
    private readonly connection: Connection,
    private readonly taskOptions: { readonly workflowTaskTimeout?: Duration },
  ) {}

  /** Creates the Temporal client. It connects on first use, so that a process can start while Temporal is unavailable. */
  static create(settings: TemporalSettings): TemporalCommands {
    const connection = Connection.lazy({
      ...connectionOptions(settings),
      connectTimeout: '3s',
      channelArgs: KEEPALIVE,
    });
    const interceptors = isTracing() ? { workflow: [commandTracing] } : {};
    const client = new Client({ connection, namespace: settings.TEMPORAL_NAMESPACE, interceptors });
    return new TemporalCommands(client, connection, { workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT });
  }

  /**
   * For tests: uses an existing client and Temporal's default workflow task timeout. The time-skipping server loses an Update whose
   * task times out, which happens on a busy machine.
   */
  static over(client: Client): TemporalCommands {
    return new TemporalCommands(client, client.connection as Connection, {});
  }

  /**
   * Sends a command to a resource's workflow, starts the workflow if none runs, and waits for the result.
   *
   * @param resourceId the workflow's resource, by default the command's
   * @throws ApiError with the code with which the workflow rejected the command, or `service_unavailable`; CommandGone if the command was
   *   rejected before this call
   */
  async command(
    workflow: ResourceWorkflow,
    command: SentCommand,
    resourceId = command.resourceId,
  ): Promise<void> {
    const { id: commandId, update, updateId, caller } = command;
    if (update === null) throw new Error(`the command ${commandId} has no Update`);
    const { tenant, environment, authority, requestId } = caller;
    const message: CommandMessage = { commandId, authority, requestId };
    await this.gate.pass(resourceId, async () => {
      const send = async () => {
        const startWorkflowOperation = new WithStartWorkflowOperation(workflow.type, {
          ...startOptionsOf(workflow, { id: resourceId, tenant, environment }),
          ...this.taskOptions,
          workflowIdConflictPolicy: 'USE_EXISTING',
        });
        // If the Update fails, this promise rejects with the error that `executeUpdateWithStart` throws. It is ignored here, because an
        // unhandled rejection would end the process.
        startWorkflowOperation.workflowHandle().catch(() => undefined);
        await this.client.workflow.executeUpdateWithStart(update, {
          args: [message],
          updateId,
          startWorkflowOperation,
        });
      };
      try {
        const deadlineMs = Date.now() + COMMAND_DEADLINE_MS;
        await this.client.withDeadline(deadlineMs, () =>
          sendUntilReceived(deadlineMs, wasUpdateNotReceived, send),
        );
      } catch (error) {
        const known = unwrapFailure(error);
        throw known === error && isTemporalUnavailable(error)
          ? unavailable('The processing of commands')
          : known;
      }
    });
  }

  /**
   * Starts the resource's workflow if none runs. Returns false if Temporal is unavailable; a sweep then starts the workflow.
   *
   * @throws the error with which Temporal rejects the request
   */
  async ensureRunning(workflow: ResourceWorkflow, resource: OwnedResource): Promise<boolean> {
    return this.isSent(async () => {
      try {
        await this.client.workflow.start(workflow.type, {
          ...startOptionsOf(workflow, resource),
          ...this.taskOptions,
          workflowIdConflictPolicy: 'USE_EXISTING',
        });
      } catch (error) {
        if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
      }
    });
  }

  /**
   * Starts the workflow of each given resource whose workflow does not run. The state of each workflow is read, which takes Temporal and
   * this process 1 ms of processor time together, because Temporal's list of workflows can name runs that do not exist. Pass at most a few
   * hundred resources. Returns the number of started workflows; null if Temporal is unavailable.
   *
   * @throws the first rejection, after Temporal received or rejected all starts
   */
  async ensureAllRunning(
    workflow: ResourceWorkflow,
    resources: readonly OwnedResource[],
  ): Promise<number | null> {
    const missing = await this.findNotRunning(resources);
    if (missing === null) return null;
    const areSent = await sendAll(missing, (resource) => this.ensureRunning(workflow, resource));
    return areSent ? missing.length : null;
  }

  /** Returns those of the given resources whose workflows do not run, in the given order; null if Temporal is unavailable. */
  private async findNotRunning(resources: readonly OwnedResource[]): Promise<OwnedResource[] | null> {
    const missing = new Set<OwnedResource>();
    const queue = [...resources];
    const read = async () => {
      for (let resource = queue.shift(); resource !== undefined; resource = queue.shift())
        if (!(await isRunning(this.client, resource.id))) missing.add(resource);
    };
    try {
      await Promise.all(Array.from({ length: READS_AT_ONCE }, read));
    } catch (error) {
      // The other readers end after their next request.
      queue.length = 0;
      if (isTemporalUnavailable(error)) return null;
      throw error;
    }
    return resources.filter((resource) => missing.has(resource));
  }

  /**
   * Lists the running workflows of a type, with the statuses that they show, by pages of a few hundred.
   *
   * @param ids the IDs of the workflows to list, at most a few hundred; without it, all
   * @throws the error with which Temporal rejects a request, or which says that Temporal is unavailable
   */
  async *listRunning(
    workflow: SignalledWorkflow,
    ids?: readonly string[],
  ): AsyncGenerator<ShownStatus[], void> {
    const isListed = ids === undefined ? '' : ` and ${hasId(ids)}`;
    const query = `ExecutionStatus = 'Running' and WorkflowType = '${workflow.type}'${isListed}`;
    for await (const page of listPages(this.client, query)) {
      yield page.map(({ workflowId, typedSearchAttributes }) => ({
        id: workflowId,
        status: typedSearchAttributes.get(workflow.statusAttribute) ?? null,
      }));
    }
  }

  /**
   * Signals the resource's workflow to read the facts again, and starts the workflow if none runs. Returns false if Temporal is
   * unavailable.
   *
   * @throws the error with which Temporal rejects the request
   */
  async signalReview(workflow: SignalledWorkflow, resource: OwnedResource): Promise<boolean> {
    return this.isSent((deadlineMs) =>
      sendUntilReceived(deadlineMs, hasRunEnded, () =>
        this.client.workflow.signalWithStart(workflow.type, {
          ...startOptionsOf(workflow, resource),
          ...this.taskOptions,
          signal: workflow.signal,
          signalArgs: [],
        }),
      ),
    );
  }

  /**
   * Signals the resource's workflow, if it runs, to read the facts again. Returns false if Temporal is unavailable.
   *
   * @throws the error with which Temporal rejects the request
   */
  async signalRunning({ signal }: SignalledWorkflow, resourceId: string): Promise<boolean> {
    return this.isSent(async () => {
      try {
        await this.client.workflow.getHandle(resourceId).signal(signal);
      } catch (error) {
        if (!(error instanceof WorkflowNotFoundError)) throw error;
      }
    });
  }

  /**
   * Reads the state of the newest run of a resource's workflow; null if Temporal has none, because none was started or it was deleted
   * after the retention time.
   *
   * @throws ApiError service_unavailable
   */
  async describeRun(resourceId: string): Promise<WorkflowRun | null> {
    const { workflow, options } = this.client;
    const found = await this.read(() => workflow.getHandle(resourceId).describe());
    return (
      found && {
        namespace: options.namespace,
        run_id: found.runId,
        status: found.status.name.toLowerCase(),
        started_at: found.startTime.toISOString(),
        closed_at: found.closeTime?.toISOString() ?? null,
      }
    );
  }

  /** Reads the commands of a resource that its workflow rejected, newest first. @throws ApiError service_unavailable */
  async rejectedCommands(resourceId: string): Promise<RejectedCommand[]> {
    return (await this.read(() => readRejectedCommands(this.client, resourceId))) ?? [];
  }

  /** Sends read requests to Temporal. Returns null if Temporal does not have the requested run. @throws ApiError service_unavailable */
  private async read<T>(send: () => Promise<T>): Promise<T | null> {
    try {
      return await this.client.withDeadline(Date.now() + START_DEADLINE_MS, send);
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return null;
      throw isTemporalUnavailable(error) ? unavailable('The processing of commands') : error;
    }
  }

  /**
   * Sends a request to Temporal. Returns true if Temporal accepted it, and false if Temporal is unavailable.
   *
   * @throws the error with which Temporal rejects the request
   */
  private async isSent(send: (deadlineMs: number) => Promise<unknown>): Promise<boolean> {
    const deadlineMs = Date.now() + START_DEADLINE_MS;
    try {
      await this.client.withDeadline(deadlineMs, () => send(deadlineMs));
      return true;
    } catch (error) {
      if (isTemporalRejection(error)) throw error;
      if (isTemporalUnavailable(error) || error instanceof ApiError) return false;
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.connection.close();
  }
}
