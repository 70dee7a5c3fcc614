/**
 * Runs a service's Temporal worker, which executes its workflows and their activities.
 *
 * Failure policy: the worker restarts until Temporal is available again. A stop waits for running activities for a grace period and
 * then cancels them.
 */
import { totalmem } from 'node:os';
import { connectionOptions, type TemporalSettings } from '@carecover/setup/temporal-connection';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { NativeConnection, Runtime, Worker, type WorkerOptions } from '@temporalio/worker';
import { isRejection } from './api-error';
import { startLoop } from './background-loop';
import type { Log } from './log';
import { watchDependency } from './outages';
import { isTemporalUnreachable } from './temporal-errors';

// biome-ignore lint/suspicious/noExplicitAny: activities have parameters of any type
type Activity = (...args: any[]) => Promise<unknown>;

/** Type name of the failure of a step that was rejected with an API error. */
const API_ERROR_FAILURE = 'ApiError';

/** Wraps activities so that Temporal retries them after every error except API errors below 500. */
export function asActivities<T extends object>(activities: T): T {
  const wrapped: Record<string, Activity> = {};
  for (const [name, activity] of Object.entries(activities) as [string, Activity][]) {
    wrapped[name] = async (...args) => {
      try {
        return await activity(...args);
      } catch (error) {
        if (isRejection(error)) {
          throw ApplicationFailure.create({
            type: API_ERROR_FAILURE,
            message: error.message,
            nonRetryable: true,
            details: [error.code],
            // An API error is an expected result, so Temporal logs no warning.
            category: ApplicationFailureCategory.BENIGN,
          });
        }
        throw error;
      }
    };
  }
  return wrapped as T;
}

export interface ServiceWorkerOptions {
  readonly temporal: TemporalSettings;
  readonly taskQueue: string;
  /** The workflows' activities: steps, which are local activities, and the one that finishes interrupted commands. */
  readonly activities: object;
  /** The path of the prebuilt workflow bundle. */
  readonly bundlePath: string;
  readonly identity: string;
  readonly log: Log;
}

const SHUTDOWN_GRACE = '5s';
/**
 * Maximum numbers of concurrent local activities and of concurrent workflow tasks. 64 is the maximum number of concurrent requests of one
 * gateway to a replica. A workflow task waits for its local activities. More tasks than activities are allowed, so that tasks which wait
 * for a slow service do not block other tasks.
 */
const LOCAL_ACTIVITIES = 64;
const WORKFLOW_TASKS = 128;
/** How long a workflow task waits for the worker that has the run in its cache. After that, any worker takes the task. */
const STICKY_TIMEOUT = '1s';

const MIB = 1024 ** 2;
/**
 * The fraction of the machine's memory that a process assumes as its limit if its container has no memory limit. The fraction is small,
 * because all services of an installation can run on one machine, beside its databases.
 */
const PART_OF_MACHINE = 1 / 16;
/** The least memory in bytes that a process assumes: the limit of a container of deploy/compose. */
const LEAST_MEMORY = 512 * MIB;
/**
 * Measured memory: the claims service without cached runs uses 215 MB, and each cached run adds 0.15 MB when it is new and 0.44 MB after
 * all its commands.
 */
const PROCESS_BYTES = 220e6;
const RUN_BYTES = 450e3;
/**
 * The fraction of the memory limit that the process and its cached runs can use. The remaining memory is for requests and for garbage that
 * is not collected yet.
 */
const USABLE_PART = 0.85;

/**
 * Returns how many runs a worker can keep in memory; a run that is not kept is replayed from its history for its next task.
 *
 * @param limitBytes the memory limit of the process's container; 0, or a value above the machine's memory, means that there is no limit
 * @param machineBytes the machine's memory
 */
export function countCachedRuns(limitBytes: number, machineBytes: number): number {
  const isLimited = limitBytes > 0 && limitBytes < machineBytes;
  const memory = isLimited ? limitBytes : Math.max(LEAST_MEMORY, machineBytes * PART_OF_MACHINE);
  return Math.max(WORKFLOW_TASKS, Math.floor((memory * USABLE_PART - PROCESS_BYTES) / RUN_BYTES));
}

function workerOptions(options: ServiceWorkerOptions, connection: NativeConnection): WorkerOptions {
  const buildId = options.temporal.WORKER_BUILD_ID ?? null;
  return {
    connection,
    namespace: options.temporal.TEMPORAL_NAMESPACE,
    taskQueue: options.taskQueue,
    activities: asActivities(options.activities),
    identity: options.identity,
    shutdownGraceTime: SHUTDOWN_GRACE,
    maxConcurrentLocalActivityExecutions: LOCAL_ACTIVITIES,
    maxConcurrentWorkflowTaskExecutions: WORKFLOW_TASKS,
    maxCachedWorkflows: countCachedRuns(process.constrainedMemory() ?? 0, totalmem()),
    stickyQueueScheduleToStartTimeout: STICKY_TIMEOUT,
    workflowBundle: { codePath: options.bundlePath },
    ...(buildId === null
      ? {}
      : {
          workerDeploymentOptions: {
            version: { deploymentName: options.taskQueue, buildId },
            useWorkerVersioning: true,
            // The default for workflows that do not call `pinToRelease`: their runs move to the current release.
            defaultVersioningBehavior: 'AUTO_UPGRADE',
          },
        }),
  };
}

/** Starts a worker that runs until `stop` is called. `running` returns whether the worker polls its task queue. */
export function startWorker(options: ServiceWorkerOptions): {
  readonly running: () => boolean;
  stop(): Promise<void>;
} {
  const { log } = options;
  let worker: Worker | null = null;
  watchDependency(log, {
    name: 'Temporal',
    isUnavailable: isTemporalUnreachable,
    probe: async () => {
      const connection = await NativeConnection.connect(connectionOptions(options.temporal));
      await connection.close();
    },
  });

  async function serve(stopping: AbortSignal): Promise<void> {
    const connection = await NativeConnection.connect(connectionOptions(options.temporal));
    try {
      worker = await Worker.create(workerOptions(options, connection));
      if (stopping.aborted) return;
      log.info({ queue: options.taskQueue }, 'worker polling');
      await worker.run();
    } finally {
      worker = null;
      await connection.close();
    }
  }

  const loop = startLoop({ name: 'the worker', log }, serve);
  return {
    running: () => worker?.getState() === 'RUNNING',
    async stop() {
      const stopped = loop.stop();
      if (worker?.getState() === 'RUNNING') worker.shutdown();
      await stopped;
    },
  };
}

/**
 * Sends the log lines of Temporal's SDK to the service's log, and disables the SDK's signal handlers. Call once, before the first worker.
 * The native part of the SDK writes its warnings to standard output itself, as JSON with other fields.
 */
export function installRuntime(log: Log): void {
  const write = (level: 'debug' | 'info' | 'warn' | 'error') => (message: string, meta?: object) =>
    log[level]({ ...meta }, message);
  Runtime.install({
    shutdownSignals: [],
    telemetryOptions: { logging: { console: { format: 'json' } } },
    logger: {
      log: (level, message, meta) =>
        write(
          level === 'TRACE' || level === 'DEBUG'
            ? 'debug'
            : level === 'INFO'
              ? 'debug'
              : level === 'WARN'
                ? 'warn'
                : 'error',
        )(message, meta),
      trace: write('debug'),
      debug: write('debug'),
      info: write('debug'),
      warn: write('warn'),
      error: write('error'),
    },
  });
}
