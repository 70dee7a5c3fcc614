/** Puts a service process together from its parts, the same for every service: database, relay, worker, sweeper, server. */
import { randomBytes } from 'node:crypto';
import { unavailable } from './api-error';
import type { COMMON_SETTINGS, Config } from './config';
import { armFailpoints } from './failpoints';
import { type DatabaseGauge, registerGauges } from './gauges';
import { Running, type Stoppable } from './lifecycle';
import type { Log } from './log';
import { createGatheringLog, stopGathering, watchDependency } from './outages';
import { registerPoolGauges } from './pool-gauges';
import { connectPostgres, postgresDependency, type Sql } from './postgres';
import { startRelay } from './relay';
import { createServiceApp, type Handlers, type InternalRoute, listen } from './service-server';
import type { NatsAccess } from './stream';
import { type Sweep, startSweeper } from './sweeper';
import type { TemporalSettings } from './temporal-connection';
import { startTracing } from './tracing/start';
import { installRuntime, startWorker } from './worker';

type CommonConfig = Config<typeof COMMON_SETTINGS> & { readonly HASH_SECRET: string };

export interface ServiceParts {
  readonly handlers: Handlers;
  readonly internal?: readonly InternalRoute[];
  readonly sweeps?: readonly Sweep[];
  /** What an operator should watch of the service's own tables, beside what every service has. */
  readonly gauges?: readonly DatabaseGauge[];
  /** Where the service owns workflows: their bundle, and their steps by name. */
  readonly worker?: { readonly activities: object; readonly bundlePath: string };
  /** Work that no request asks for, beside the relay; started in this order with the worker, stopped in the reverse. */
  readonly background?: readonly { readonly name: string; readonly start: () => Stoppable }[];
  /** Whatever else must be stopped with the service, last. */
  readonly close?: () => Promise<void>;
}

export interface ServiceOptions {
  readonly name: string;
  readonly config: CommonConfig;
  readonly temporal?: TemporalSettings;
  /** Null for a service without events of its own. */
  readonly nats: NatsAccess | null;
  /** `server`, `worker`, or both where none is named. */
  readonly roles: readonly string[];
  readonly build: (base: { readonly sql: Sql; readonly log: Log }) => ServiceParts;
}

const SWEEP_INTERVAL_MS = 3_000;

/** Starts the parts that `roles` asks for; stopping drains them in the reverse order. */
export async function startService(
  options: ServiceOptions,
): Promise<Running & { readonly port: number | null }> {
  const { name, config, roles } = options;
  const plays = (role: string) => roles.length === 0 || roles.includes(role);
  const log = createGatheringLog(name, config.LOG_LEVEL);
  armFailpoints(process.env.CARECOVER_FAILPOINTS ?? '', config.CARECOVER_MODE);
  const running = new Running(log);
  running.add('outages', async () => stopGathering(log));
  const tracing = await startTracing(name, config, log);
  if (tracing !== null) running.add('tracing', () => tracing.stop());
  const sql = connectPostgres(config.DATABASE_URL, config.DATABASE_POOL, name);
  running.add('database', () => sql.end({ timeout: 5 }));
  watchDependency(log, postgresDependency(sql));
  const parts = options.build({ sql, log });
  if (parts.close) running.add('connections', parts.close);

  let workerReady = () => true;
  if (plays('worker')) {
    if (options.nats !== null) {
      const relay = startRelay({
        service: name,
        databaseUrl: config.DATABASE_URL,
        nats: options.nats,
        log,
      });
      running.add('relay', () => relay.stop());
    }
    if (parts.worker !== undefined && options.temporal !== undefined) {
      installRuntime(log);
      const worker = startWorker({
        temporal: options.temporal,
        taskQueue: name,
        ...parts.worker,
        identity: `${name}-${process.pid}-${randomBytes(3).toString('hex')}`,
        log,
      });
      workerReady = worker.running;
      running.add('worker', () => worker.stop());
    }
    for (const part of parts.background ?? []) {
      const started = part.start();
      running.add(part.name, () => started.stop());
    }
    const sweeper = startSweeper(parts.sweeps ?? [], SWEEP_INTERVAL_MS, log);
    running.add('sweeper', () => sweeper.stop());
  }

  let port: number | null = null;
  if (plays('server')) {
    registerGauges(name, sql, parts.gauges ?? [], log);
    registerPoolGauges(name, sql);
    const app = createServiceApp({
      service: name,
      handlers: parts.handlers,
      ...(parts.internal === undefined ? {} : { internal: parts.internal }),
      contextSecret: config.CONTEXT_SECRET,
      hashSecret: config.HASH_SECRET,
      log,
      ready: async () => {
        await sql`select 1`;
        if (!workerReady()) throw unavailable('The worker');
      },
    });
    const server = await listen(app, config.HOST, config.PORT);
    port = server.port;
    running.add('server', server.close);
  }
  log.info({ port }, 'started');
  return Object.assign(running, { port });
}
