/**
 * A Temporal worker of a service. Failure policy: it keeps trying while the engine is away and starts anew after a fault;
 * when told to stop it finishes the activities in flight first.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { NativeConnection, Runtime, Worker, type WorkerOptions } from '@temporalio/worker';
import { CommandGone } from './commands';
import type { Log } from './log';
import { watchDependency } from './outages';
import { Refusal } from './refusal';
import { connectionOptions, type TemporalSettings } from './temporal-connection';
import { isTemporalUnreachable } from './temporal-errors';
import { isTracing } from './tracing/spans';
import { activityTracing, tracingSinks } from './tracing/temporal';
import { COMMAND_GONE_FAILURE, REFUSAL_FAILURE } from './workflow/failures';

// biome-ignore lint/suspicious/noExplicitAny: an activity takes whatever its workflow gives it
type Activity = (...args: any[]) => Promise<unknown>;

/** Activities as the engine must see them: a Refusal is final and carries its code; anything else is retried. */
export function asActivities<T extends object>(activities: T): T {
  const wrapped: Record<string, Activity> = {};
  for (const [name, activity] of Object.entries(activities) as [string, Activity][]) {
    wrapped[name] = async (...args) => {
      try {
        return await activity(...args);
      } catch (error) {
        if (error instanceof Refusal && error.code !== 'service_unavailable') {
          throw ApplicationFailure.create({
            type: REFUSAL_FAILURE,
            message: error.message,
            nonRetryable: true,
            details: [error.code],
            // Part of the day's work: the engine does not warn of it.
            category: ApplicationFailureCategory.BENIGN,
          });
        }
        if (error instanceof CommandGone) {
          throw ApplicationFailure.create({
            type: COMMAND_GONE_FAILURE,
            message: error.message,
            nonRetryable: true,
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
  readonly activities: object;
  /** The path of the prebuilt workflow bundle; none for a queue of activities alone. */
  readonly bundlePath?: string;
  readonly identity: string;
  readonly log: Log;
}

const SHUTDOWN_GRACE = '5s';
const LOCAL_ACTIVITIES = 20;
const RETRY_MS = 1_000;

function workerOptions(options: ServiceWorkerOptions, connection: NativeConnection): WorkerOptions {
  return {
    connection,
    namespace: options.temporal.TEMPORAL_NAMESPACE,
    taskQueue: options.taskQueue,
    activities: asActivities(options.activities),
    identity: options.identity,
    shutdownGraceTime: SHUTDOWN_GRACE,
    maxConcurrentLocalActivityExecutions: LOCAL_ACTIVITIES,
    maxConcurrentActivityTaskExecutions: LOCAL_ACTIVITIES,
    sinks: tracingSinks,
    ...(isTracing() ? { interceptors: { activity: [activityTracing] } } : {}),
    ...(options.bundlePath === undefined ? {} : { workflowBundle: { codePath: options.bundlePath } }),
  };
}

/** Runs a worker until stopped; `running` tells whether it polls now. */
export function startWorker(options: ServiceWorkerOptions): {
  readonly running: () => boolean;
  stop(): Promise<void>;
} {
  const { log } = options;
  let stopping = false;
  let worker: Worker | null = null;
  watchDependency(log, {
    name: 'Temporal',
    isAway: isTemporalUnreachable,
    probe: async () => {
      const connection = await NativeConnection.connect(connectionOptions(options.temporal));
      await connection.close();
    },
  });

  async function serve(): Promise<void> {
    const connection = await NativeConnection.connect(connectionOptions(options.temporal));
    try {
      worker = await Worker.create(workerOptions(options, connection));
      if (stopping) return;
      log.info({ queue: options.taskQueue }, 'worker polling');
      await worker.run();
    } finally {
      worker = null;
      await connection.close();
    }
  }

  async function loop(): Promise<void> {
    while (!stopping) {
      try {
        await serve();
      } catch (error) {
        log.warn({ err: error }, 'worker interrupted, starting again');
        if (!stopping) await sleep(RETRY_MS);
      }
    }
  }

  const done = loop();
  return {
    running: () => worker?.getState() === 'RUNNING',
    async stop() {
      stopping = true;
      if (worker?.getState() === 'RUNNING') worker.shutdown();
      await done;
    },
  };
}

/** Routes the engine's own log lines into ours and leaves signals to the process. Call once, before the first worker. */
export function installRuntime(log: Log): void {
  const write = (level: 'debug' | 'info' | 'warn' | 'error') => (message: string, meta?: object) =>
    log[level]({ ...meta }, message);
  Runtime.install({
    shutdownSignals: [],
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
