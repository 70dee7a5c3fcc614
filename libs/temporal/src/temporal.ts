/**
 * Starts, signals and describes the workflows of resources. Workflows follow the facts: they are started and signalled after a commit, and
 * no command waits for them.
 *
 * Failure policy: open. Requests fail while Temporal is unavailable. The rows that asked for them stay, and are sent later.
 */

import type { OwnedResource } from '@carecover/domain';
import { type ResourceChange, unavailable } from '@carecover/domain';
import { connectionOptions, type TemporalSettings } from '@carecover/setup/temporal-connection';
import { isRunning } from '@carecover/setup/workflow-lists';
import {
  Client,
  Connection,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
} from '@temporalio/client';
import { type ResourceWorkflow, startOptionsOf } from './resource-workflow';
import { isTemporalRejection, isTemporalUnavailable } from './temporal-errors';
import { CHANGED } from './workflow/changes';

const START_DEADLINE_MS = 3_000;

/**
 * Finds a connection whose server or network path does not respond, so that a request is sent over another one. A server admits, by default, only one ping in ten seconds on a connection on which it sends nothing. So none are sent while no request is in
 * progress, and the deployments set `frontend.keepAliveMinTime` to less than the time here.
 */
const KEEPALIVE = {
  'grpc.keepalive_time_ms': 5_000,
  'grpc.keepalive_timeout_ms': 4_000,
  'grpc.keepalive_permit_without_calls': 0,
};

/** The maximum number of concurrent requests with which a sweep reads the states of workflows. */
const READS_AT_ONCE = 4;

/** The state of a workflow's run, as operators see it. */
export interface WorkflowRun {
  readonly namespace: string;
  readonly run_id: string;
  /** The status in lower case, such as `running` or `completed`. */
  readonly status: string;
  readonly started_at: string;
  readonly closed_at: string | null;
}

export class TemporalRuns {
  private constructor(
    readonly client: Client,
    private readonly connection: Connection,
  ) {}

  /** Creates the Temporal client. It connects on first use, so that a process can start while Temporal is unavailable. */
  static create(settings: TemporalSettings): TemporalRuns {
    const connection = Connection.lazy({
      ...connectionOptions(settings),
      connectTimeout: '3s',
      channelArgs: KEEPALIVE,
    });
    return new TemporalRuns(new Client({ connection, namespace: settings.TEMPORAL_NAMESPACE }), connection);
  }

  /** For tests: uses an existing client. */
  static over(client: Client): TemporalRuns {
    return new TemporalRuns(client, client.connection as Connection);
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
          workflowIdConflictPolicy: 'USE_EXISTING',
        });
      } catch (error) {
        if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
      }
    });
  }

  /**
   * Returns those of the given resources whose workflows do not run, in the given order; null if Temporal is unavailable. The state of each
   * workflow is read, which takes Temporal and this process 1 ms of processor time together, because Temporal's list of workflows can name
   * runs that do not exist. Pass at most a few hundred resources.
   *
   * @throws the error with which Temporal rejects a request
   */
  async findNotRunning(resources: readonly OwnedResource[]): Promise<OwnedResource[] | null> {
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
   * Starts the workflow of each given resource whose workflow does not run, in sequence. Returns the number of starts; null if Temporal is
   * unavailable.
   *
   * @throws the error with which Temporal rejects a request
   */
  async startMissing(
    workflow: ResourceWorkflow,
    resources: readonly OwnedResource[],
  ): Promise<number | null> {
    const missing = await this.findNotRunning(resources);
    if (missing === null) return null;
    for (const resource of missing) if (!(await this.ensureRunning(workflow, resource))) return null;
    return missing.length;
  }

  /**
   * Signals the resource's workflow that the resource changed, and starts the workflow if none runs. Returns false if Temporal is
   * unavailable.
   *
   * @throws the error with which Temporal rejects the request
   */
  async signalOrStart(
    workflow: ResourceWorkflow,
    resource: OwnedResource,
    changes: readonly ResourceChange[],
  ): Promise<boolean> {
    return this.isSent(() =>
      this.client.workflow.signalWithStart(workflow.type, {
        ...startOptionsOf(workflow, resource),
        signal: CHANGED,
        signalArgs: [changes],
      }),
    );
  }

  /**
   * Signals the resource's workflow, if it runs, that the resource changed. Returns false if Temporal is unavailable.
   *
   * @throws the error with which Temporal rejects the request
   */
  async signalRunning(resourceId: string, changes: readonly ResourceChange[]): Promise<boolean> {
    return this.isSent(async () => {
      try {
        await this.client.workflow.getHandle(resourceId).signal(CHANGED, changes);
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

  /** Sends read requests to Temporal. Returns null if Temporal does not have the requested run. @throws ApiError service_unavailable */
  private async read<T>(send: () => Promise<T>): Promise<T | null> {
    try {
      return await this.client.withDeadline(Date.now() + START_DEADLINE_MS, send);
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return null;
      throw isTemporalUnavailable(error) ? unavailable('Temporal') : error;
    }
  }

  /**
   * Sends a request to Temporal. Returns true if Temporal accepted it, and false if Temporal is unavailable.
   *
   * @throws the error with which Temporal rejects the request
   */
  private async isSent(send: () => Promise<unknown>): Promise<boolean> {
    try {
      await this.client.withDeadline(Date.now() + START_DEADLINE_MS, send);
      return true;
    } catch (error) {
      if (isTemporalRejection(error)) throw error;
      if (isTemporalUnavailable(error)) return false;
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.connection.close();
  }
}
