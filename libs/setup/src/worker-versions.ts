/**
 * Releases of the workflows that run side by side. Each service with workflows is a worker deployment of Temporal, whose versions are the
 * values of WORKER_BUILD_ID. A claim's workflow, which is open for weeks, always continues on the current version. Tests before each
 * release check that the new version can replay the histories of earlier ones. A short workflow is pinned: it ends on the version on which
 * it started.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { isBuildId } from '@carecover/config';
import { Client, Connection } from '@temporalio/client';
import { connectionOptions, type TemporalSettings } from './temporal-connection';
import { GRPC, hasGrpcCode } from './temporal-errors';
import { isRunning, listPages, withinDeadline } from './workflow-lists';

/** The services with workflows. Each is the name of a worker deployment and of its task queue. */
export const WORKER_DEPLOYMENTS = ['benefits', 'claims', 'payments'] as const;

const CALL_TIMEOUT_MS = 5_000;
/** Maximum time in milliseconds for one attempt of a promotion, which a workflow of Temporal executes. */
const PROMOTION_MS = 10_000;
const POLL_MS = 500;
/** Maximum time in milliseconds from the start of a worker until Temporal knows the worker's version. */
const REGISTRATION_MS = 60_000;
/** Maximum time in milliseconds for which a read is repeated while Temporal does not answer in time. */
const READ_MS = 20_000;
const IDENTITY = 'carecover';
/** Up to this number, runs that Temporal lists are described: the list can have runs that do not exist. */
const MAX_DESCRIBED = 20;

export interface WorkerVersions {
  readonly deployment: string;
  /** The version that receives the tasks of workflows that are not pinned; null if the deployment has no current version. */
  readonly current: string | null;
  /** The number of running workflows that are pinned to another version. */
  readonly pinned_elsewhere: number;
}

export class WorkerVersionError extends Error {}

async function withClient<T>(settings: TemporalSettings, work: (client: Client) => Promise<T>): Promise<T> {
  const connection = Connection.lazy({ ...connectionOptions(settings), connectTimeout: CALL_TIMEOUT_MS });
  try {
    return await work(new Client({ connection, namespace: settings.TEMPORAL_NAMESPACE }));
  } finally {
    await connection.close();
  }
}

const pinnedElsewhere = (deployment: string, buildId: string) =>
  `TemporalWorkerDeployment = '${deployment}' and TemporalWorkerDeploymentVersion != '${deployment}:${buildId}'
    and TemporalWorkflowVersioningBehavior = 'Pinned' and ExecutionStatus = 'Running'`;

/** Returns the number of runs that match a query for running ones. Only up to {@link MAX_DESCRIBED} runs, it is exact. */
async function countRuns(client: Client, query: string): Promise<number> {
  const { count } = await withinDeadline(client, () => client.workflow.count(query));
  if (count > MAX_DESCRIBED) return count;
  let running = 0;
  for await (const page of listPages(client, query)) {
    for (const { workflowId, runId } of page) if (await isRunning(client, workflowId, runId)) running += 1;
  }
  return running;
}

async function currentBuild(client: Client, deploymentName: string): Promise<string | null> {
  const { workflowService, options } = client;
  try {
    const { workerDeploymentInfo } = await withinDeadline(client, () =>
      workflowService.describeWorkerDeployment({ namespace: options.namespace, deploymentName }),
    );
    return workerDeploymentInfo?.routingConfig?.currentDeploymentVersion?.buildId ?? null;
  } catch (error) {
    if (hasGrpcCode(error, GRPC.NOT_FOUND)) return null;
    throw error;
  }
}

/**
 * Returns the current version of each worker deployment. Repeats a request that Temporal does not answer in time, for some seconds.
 *
 * @throws ServiceError with the error of Temporal
 */
export function readWorkerVersions(settings: TemporalSettings): Promise<WorkerVersions[]> {
  return withClient(settings, (client) =>
    Promise.all(
      WORKER_DEPLOYMENTS.map((deployment) =>
        repeatWhileBusy(READ_MS, async () => {
          const current = await currentBuild(client, deployment);
          if (current === null) return { deployment, current, pinned_elsewhere: 0 };
          const pinned_elsewhere = await countRuns(client, pinnedElsewhere(deployment, current));
          return { deployment, current, pinned_elsewhere };
        }),
      ),
    ),
  );
}

/**
 * Makes a build the current version of each worker deployment, as soon as one of the deployment's workers runs the build. Then waits for at
 * most `waitMs` until no run is pinned to another build, and moves the runs that are still pinned to another build to the current one.
 * After that the workers of other builds can be stopped.
 *
 * @param waitMs how long runs that are pinned to another build can take to end
 * @returns the number of runs that were moved
 * @throws WorkerVersionError if no worker of a deployment runs the build within a minute
 */
export async function promoteWorkers(
  settings: TemporalSettings,
  buildId: string,
  waitMs: number,
): Promise<number> {
  if (!isBuildId(buildId)) throw new WorkerVersionError(`${buildId} can't be a WORKER_BUILD_ID.`);
  return withClient(settings, async (client) => {
    for (const deployment of WORKER_DEPLOYMENTS) await setCurrent(client, deployment, buildId);
    const moved = await Promise.all(
      WORKER_DEPLOYMENTS.map(async (deployment) => {
        const query = pinnedElsewhere(deployment, buildId);
        await waitUntilNone(client, query, waitMs);
        return movePinned(client, query);
      }),
    );
    return moved.reduce((sum, each) => sum + each, 0);
  });
}

async function setCurrent(client: Client, deploymentName: string, buildId: string): Promise<void> {
  const deadline = Date.now() + REGISTRATION_MS;
  const { namespace } = client.options;
  for (;;) {
    try {
      await withinDeadline(
        client,
        () =>
          client.workflowService.setWorkerDeploymentCurrentVersion({
            namespace,
            deploymentName,
            buildId,
            identity: IDENTITY,
          }),
        PROMOTION_MS,
      );
      return;
    } catch (error) {
      // Temporal registers a version and its workers only some time after a worker has started. Until then it responds with NOT_FOUND or
      // FAILED_PRECONDITION. A busy server responds with DEADLINE_EXCEEDED or UNAVAILABLE. The call is repeated in all four cases: a repetition
      // changes nothing more.
      const isUnregistered = hasGrpcCode(error, GRPC.NOT_FOUND, GRPC.FAILED_PRECONDITION);
      if (!isUnregistered && !isBusy(error)) throw error;
      if (Date.now() > deadline) {
        if (isBusy(error)) throw error;
        throw new WorkerVersionError(
          `No worker of ${deploymentName} runs the build ${buildId}: start one with WORKER_BUILD_ID=${buildId}.`,
        );
      }
      await sleep(POLL_MS);
    }
  }
}

/** Whether Temporal did not respond in time, or could not execute a request now. */
const isBusy = (error: unknown) => hasGrpcCode(error, GRPC.DEADLINE_EXCEEDED, GRPC.UNAVAILABLE);

/** Repeats requests that do not change more if they are repeated, while Temporal is busy, for at most `limitMs`. */
async function repeatWhileBusy<T>(limitMs: number, send: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + limitMs;
  for (;;) {
    try {
      return await send();
    } catch (error) {
      if (!isBusy(error) || Date.now() > deadline) throw error;
      await sleep(POLL_MS);
    }
  }
}

/**
 * Waits until no workflow run matches `query` in two successive requests, but at most `waitMs`. One request is not enough, because a run
 * that has just started is not found yet. A request to a busy server is repeated.
 */
async function waitUntilNone(client: Client, query: string, waitMs: number): Promise<void> {
  const deadline = Date.now() + waitMs;
  for (let empty = 0; empty < 2 && Date.now() < deadline; ) {
    try {
      empty = (await countRuns(client, query)) === 0 ? empty + 1 : 0;
    } catch (error) {
      if (!isBusy(error)) throw error;
    }
    await sleep(POLL_MS);
  }
}

/**
 * Makes the workflow runs that match `query` continue on the current version of their worker deployment. While the server is busy, lists
 * them again, for at most {@link REGISTRATION_MS}. Returns the number of runs.
 */
async function movePinned(client: Client, query: string): Promise<number> {
  const moved = new Set<string>();
  return repeatWhileBusy(REGISTRATION_MS, async () => {
    for await (const page of listPages(client, query)) {
      for (const run of page) if (await moveRun(client, run)) moved.add(run.runId);
    }
    return moved.size;
  });
}

/** Makes a run continue on the current version. Returns false if there is no such run, or if it has ended: it need not be moved. */
async function moveRun(
  client: Client,
  { workflowId, runId }: { readonly workflowId: string; readonly runId: string },
): Promise<boolean> {
  try {
    await withinDeadline(client, () =>
      client.workflowService.updateWorkflowExecutionOptions({
        namespace: client.options.namespace,
        workflowExecution: { workflowId, runId },
        workflowExecutionOptions: { versioningOverride: { autoUpgrade: true } },
        updateMask: { paths: ['versioning_override'] },
        identity: IDENTITY,
      }),
    );
    return true;
  } catch (error) {
    if (hasGrpcCode(error, GRPC.NOT_FOUND)) return false;
    throw error;
  }
}
