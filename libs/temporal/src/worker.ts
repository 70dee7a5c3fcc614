/**
 * Runs a service's Temporal worker, which executes its workflows and their activities.
 *
 * Failure policy: the worker restarts until Temporal is available again. A stop waits for running activities for a grace period and
 * then interrupts them; another worker repeats them. Temporal's SDK cancels only ordinary activities when a worker stops, and waits for
 * every activity, so activities get an AbortSignal of this file.
 */

import { DEFAULT_CACHED_RUNS } from '@carecover/config';
import { isRejection } from '@carecover/domain';
import { runAbortable, startLoop, untilAborted, watchDependency } from '@carecover/process';
import { connectionOptions, type TemporalSettings } from '@carecover/setup/temporal-connection';
import type { Log } from '@carecover/telemetry';
import { asyncLocalStorage as activityContext } from '@temporalio/activity';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { NativeConnection, Runtime, Worker, type WorkerOptions } from '@temporalio/worker';
import { isTemporalUnreachable } from './temporal-errors';

// biome-ignore lint/suspicious/noExplicitAny: activities have parameters of any type
type Activity = (...args: any[]) => Promise<unknown>;

/** Type name of the failure of a step that was rejected with an API error. */
const API_ERROR_FAILURE = 'ApiError';

/**
 * The pause before an interrupted step is repeated. It is longer than the pauses that a worker waits itself, so that the
 * stopping worker does not repeat the step.
 */
const DELAY_AFTER_STOP = '2s';

/**
 * Wraps activities so that Temporal retries them after every error except API errors below 500. An activity ends
 * when it is cancelled, or when `stopping` is aborted; the requests and statements that it waits for end too.
 */
export function asActivities<T extends object>(activities: T, stopping?: AbortSignal): T {
  const wrapped: Record<string, Activity> = {};
  for (const [name, activity] of Object.entries(activities) as [string, Activity][]) {
    wrapped[name] = async (...args) => {
      try {
        // There is no context in tests that call activities directly.
        const cancelled = activityContext.getStore()?.cancellationSignal;
        return await runAbortable([stopping, cancelled], () => activity(...args));
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
        if (stopping?.aborted) {
          throw ApplicationFailure.create({
            type: 'WorkerStopped',
            message: 'The worker was stopped.',
            nextRetryDelay: DELAY_AFTER_STOP,
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

/** The time in milliseconds from the stop of the worker until the steps that still run are interrupted. */
const GRACE_MS = 5_000;
/**
 * Maximum time in milliseconds for the stop of a worker. If Temporal does not respond, the SDK waits for it for half a minute, whatever its
 * `shutdownForceTime` is.
 */
export const WORKER_STOP_LIMIT_MS = 8_000;
/**
 * Maximum numbers of concurrent local activities and of concurrent workflow tasks. 64 is the maximum number of concurrent requests of one
 * gateway to a replica. A workflow task waits for its local activities. More tasks than activities are allowed, so that tasks which wait
 * for a slow service do not block other tasks.
 */
const LOCAL_ACTIVITIES = 64;
const WORKFLOW_TASKS = 128;
/** How long a workflow task waits for the worker that has the run in its cache. After that, any worker takes the task. */
const STICKY_TIMEOUT = '1s';

function workerOptions(
  options: ServiceWorkerOptions,
  connection: NativeConnection,
  interrupting: AbortSignal,
): WorkerOptions {
  const buildId = options.temporal.WORKER_BUILD_ID ?? null;
  return {
    connection,
    namespace: options.temporal.TEMPORAL_NAMESPACE,
    taskQueue: options.taskQueue,
    activities: asActivities(options.activities, interrupting),
    identity: options.identity,
    shutdownGraceTime: GRACE_MS,
    maxConcurrentLocalActivityExecutions: LOCAL_ACTIVITIES,
    maxConcurrentWorkflowTaskExecutions: WORKFLOW_TASKS,
    maxCachedWorkflows: options.temporal.WORKER_CACHED_RUNS ?? DEFAULT_CACHED_RUNS,
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
  const interrupting = new AbortController();
  watchDependency(log, {
    name: 'Temporal',
    isUnavailable: isTemporalUnreachable,
    probe: async () => {
      const connection = await NativeConnection.connect(connectionOptions(options.temporal));
      await connection.close();
    },
  });

  async function serve(stopping: AbortSignal): Promise<void> {
    // A server that accepts no connection and rejects none must not delay the stop.
    const connection = await untilAborted(stopping, () =>
      NativeConnection.connect(connectionOptions(options.temporal)),
    );
    try {
      worker = await Worker.create(workerOptions(options, connection, interrupting.signal));
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
      const interrupt = setTimeout(() => {
        log.warn(
          { queue: options.taskQueue },
          'steps that did not end in time are interrupted and will be repeated',
        );
        interrupting.abort(new Error('the worker stops'));
      }, GRACE_MS);
      await stopped;
      clearTimeout(interrupt);
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
