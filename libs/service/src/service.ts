/** Starts the parts of a service process, which are the same for every service: database, relay, worker, sweeper, HTTP server. */
import { randomBytes } from 'node:crypto';
import type { COMMON_SETTINGS, Config } from '@carecover/config';
import type { ServiceName } from '@carecover/contract';
import { unavailable } from '@carecover/domain';
import type { NatsAccess } from '@carecover/events';
import { startRelay } from '@carecover/events';
import {
  createServiceApp,
  drainMsOf,
  type Handlers,
  type InternalRoute,
  type OperatorRoute,
  startHttpServer,
} from '@carecover/http';
import {
  atProjectTime,
  checkPostgres,
  connectPostgres,
  type DatabaseGauge,
  postgresDependency,
  registerGauges,
  registerPoolGauges,
  type Sql,
} from '@carecover/postgres';
import {
  CLEANUP_INTERVAL_MS,
  createProcessLog,
  enableFailpoints,
  ShutdownSequence,
  type Stoppable,
  type Sweep,
  startSweeper,
  stopOutageProbes,
  watchDependency,
} from '@carecover/process';
import type { TemporalSettings } from '@carecover/setup/temporal-connection';
import type { Log } from '@carecover/telemetry';
import { startTracing } from '@carecover/telemetry';
import { installRuntime, startWorker, WORKER_STOP_LIMIT_MS } from '@carecover/temporal';
import { deadLetteredEventsRoute } from './dead-lettered-events-route';

type CommonConfig = Config<typeof COMMON_SETTINGS> & { readonly HASH_SECRET: string };

export interface ServiceParts {
  readonly handlers: Handlers;
  readonly internal?: readonly InternalRoute[];
  /** The routes by which operators read and change what the API has no operation for. */
  readonly operator?: readonly OperatorRoute[];
  readonly sweeps?: readonly Sweep[];
  /** Sweeps whose work can wait for a minute, such as the deletion of old rows. */
  readonly cleanups?: readonly Sweep[];
  /** Gauges that read the service's own tables. */
  readonly gauges?: readonly DatabaseGauge[];
  /** For a service with workflows: the path of their bundle, which only a worker needs, and their activities by name. */
  readonly worker?: { readonly activities: object; readonly bundlePath: () => string };
  /** Background loops, which are started with the worker in the order of the list. */
  readonly background?: readonly { readonly name: string; readonly start: () => Stoppable }[];
  /** Closes connections to other services; called after all other parts have stopped. */
  readonly close?: () => Promise<void>;
}

export interface ServiceOptions {
  readonly name: ServiceName;
  readonly config: CommonConfig;
  readonly temporal?: TemporalSettings;
  /** The access to the event stream; null for a service without an outbox. */
  readonly nats: NatsAccess | null;
  /** The roles of the process, `server` and `worker`; an empty list means both. */
  readonly roles: readonly string[];
  readonly build: (base: { readonly sql: Sql; readonly log: Log }) => ServiceParts;
}

/**
 * Pause in milliseconds between two passes of the sweeps. The pause is long, so that an idle service sends few statements. A sweep finds
 * interrupted work, which is late in any case.
 */
const SWEEP_INTERVAL_MS = 10_000;

/** Maximum time in milliseconds for the stop of a background loop. What it works on is continued by another process, or later. */
const LOOP_STOP_LIMIT_MS = 6_000;

type Activity = (input?: { readonly tenant?: string }, ...rest: unknown[]) => Promise<unknown>;

/** Makes each activity run at the time of the project in its input, if it names one. */
function activitiesAtProjectTime(sql: Sql, activities: object): object {
  const wrapped = Object.entries(activities).map(([name, activity]: [string, Activity]) => [
    name,
    (...args: Parameters<Activity>) => atProjectTime(sql, args[0]?.tenant ?? '', () => activity(...args)),
  ]);
  return Object.fromEntries(wrapped);
}

/**
 * Starts the parts of a service that its roles require. Health and metrics are served on `port` in every role. `stop` stops the parts in
 * reverse order.
 */
export async function startService(options: ServiceOptions): Promise<Stoppable & { readonly port: number }> {
  const { name, config, roles } = options;
  const hasRole = (role: string) => roles.length === 0 || roles.includes(role);
  const log = createProcessLog(name, config.LOG_LEVEL);
  enableFailpoints(process.env.CARECOVER_FAILPOINT_FILE, config.CARECOVER_MODE);
  const running = new ShutdownSequence(log);
  running.add('outages', async () => stopOutageProbes(log));
  const tracing = await startTracing(name, config, log);
  if (tracing !== null) running.add('tracing', () => tracing.stop());
  const sql = connectPostgres(config.DATABASE_URL, config.DATABASE_POOL, name);
  running.add('database', () => sql.end({ timeoutMs: 5_000 }));
  watchDependency(log, postgresDependency(sql));
  const parts = options.build({ sql, log });
  if (parts.close) running.add('connections', parts.close);

  let workerReady = () => true;
  if (hasRole('worker')) {
    if (options.nats !== null) {
      const relay = startRelay({
        service: name,
        databaseUrl: config.DATABASE_URL,
        nats: options.nats,
        log,
      });
      running.add('relay', () => relay.stop(), LOOP_STOP_LIMIT_MS);
    }
    if (parts.worker !== undefined && options.temporal !== undefined) {
      installRuntime(log);
      const worker = startWorker({
        temporal: options.temporal,
        taskQueue: name,
        bundlePath: parts.worker.bundlePath(),
        activities: activitiesAtProjectTime(sql, parts.worker.activities),
        identity: `${name}-${process.pid}-${randomBytes(3).toString('hex')}`,
        log,
      });
      workerReady = worker.running;
      running.add('worker', () => worker.stop(), WORKER_STOP_LIMIT_MS);
    }
    for (const part of parts.background ?? []) {
      const started = part.start();
      running.add(part.name, () => started.stop(), LOOP_STOP_LIMIT_MS);
    }
    const sweeper = startSweeper(parts.sweeps ?? [], SWEEP_INTERVAL_MS, log);
    running.add('sweeper', () => sweeper.stop(), LOOP_STOP_LIMIT_MS);
    const cleaner = startSweeper(parts.cleanups ?? [], CLEANUP_INTERVAL_MS, log);
    running.add('cleaner', () => cleaner.stop(), LOOP_STOP_LIMIT_MS);
  }

  const isServer = hasRole('server');
  if (isServer) registerGauges(name, sql, parts.gauges ?? [], log);
  registerPoolGauges(name, sql);
  const app = createServiceApp({
    service: name,
    // A process without the role `server` serves only health and metrics.
    handlers: isServer ? parts.handlers : {},
    internal: isServer ? (parts.internal ?? []) : [],
    operator: isServer ? [...(parts.operator ?? []), deadLetteredEventsRoute(sql)] : [],
    contextKeys: config.CONTEXT_PUBLIC_KEYS,
    hashSecret: config.HASH_SECRET,
    log,
    atProjectTime: (project, work, idScope) => atProjectTime(sql, project, work, null, idScope),
    ready: async () => {
      running.requireRunning();
      await checkPostgres(sql);
      // A process that serves requests is ready without its worker, because no command needs Temporal.
      if (!isServer && !workerReady()) throw unavailable('The worker');
    },
  });
  const server = await startHttpServer(app, config.HOST, config.PORT, isServer ? drainMsOf(config) : 0);
  running.add('server', server.close);
  log.info({ port: server.port }, 'started');
  return Object.assign(running, { port: server.port });
}
