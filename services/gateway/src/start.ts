/** Composes the gateway process: database, services, listeners, and the sweeper that deletes old request counts, tokens and audit entries. */

import { ConfigError } from '@carecover/config';
import { compileValidators } from '@carecover/contract';
import { ApiError } from '@carecover/domain';
import {
  ClientAddress,
  ContextSigner,
  drainMsOf,
  errorResponse,
  startHttpServer,
  startPrivateServer,
  tlsOf,
} from '@carecover/http';
import { connectPostgres, inBatches, postgresDependency, registerPoolGauges } from '@carecover/postgres';
import {
  CLEANUP_INTERVAL_MS,
  createProcessLog,
  enableFailpoints,
  ShutdownSequence,
  startSweeper,
  stopOutageProbes,
  watchDependency,
} from '@carecover/process';
import { HttpMetrics, type Log, startTracing } from '@carecover/telemetry';
import { Advances } from './clocks/advances';
import { DueItemCalls } from './clocks/due-items';
import type { Upstreams } from './forward';
import { createGateway } from './gateway';
import { listen } from './listener';
import { createOperatorRoutes } from './operator-routes';
import { ProjectCapacity } from './project-capacity';
import { JSON_CONTENT, resolveRequestId } from './response-envelope';
import type { Settings } from './settings';
import { AdmissionStore, deleteOldCounts } from './store/admissions';
import { deleteOldEntries } from './store/audit-log';
import { deleteExpiredTokens } from './store/tokens';
import { Upstream } from './upstream';

function createMalformedResponse(publicUrl: string | null) {
  return (reason: string): string => {
    const rejection = new ApiError('validation_failed', reason);
    const body = JSON.stringify(errorResponse(rejection, publicUrl ?? 'https://localhost').body);
    return [
      'HTTP/1.1 400 Bad Request',
      `Content-Type: ${JSON_CONTENT}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${resolveRequestId(undefined)}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n');
  };
}

function upstreamsOf(settings: Settings, log: Log): Upstreams {
  return {
    care: new Upstream('care', settings.CARE_URL, log),
    benefits: new Upstream('benefits', settings.BENEFITS_URL, log),
    claims: new Upstream('claims', settings.CLAIMS_URL, log),
    payments: new Upstream('payments', settings.PAYMENTS_URL, log),
    webhooks: new Upstream('webhooks', settings.WEBHOOKS_URL, log),
  };
}

function capacityOf(settings: Settings, upstreams: Upstreams, log: Log): ProjectCapacity {
  const limits = {
    requestCostMs: settings.REQUEST_COST_MS,
    requestsOfProject: settings.PROJECT_REQUESTS,
    longRequestsOfProject: settings.PROJECT_LONG_REQUESTS,
  };
  return new ProjectCapacity(limits, (service) => upstreams[service].replicaCount, log);
}

/**
 * Returns the maximum number of requests without a valid key per address and minute. Its default is high on a developer's machine and in
 * tests, where all clients have one address.
 */
function unauthenticatedLimit({ UNAUTHENTICATED_LIMIT, CARECOVER_MODE }: Settings): number {
  return UNAUTHENTICATED_LIMIT ?? (CARECOVER_MODE === 'production' ? 600 : 1_000_000);
}

/** Returns the origin for links; null: the host of the request. @throws ConfigError if PUBLIC_URL is not set in production mode */
function publicUrlOf({ PUBLIC_URL, CARECOVER_MODE }: Settings): string | null {
  if (PUBLIC_URL !== null) return new URL(PUBLIC_URL).origin;
  if (CARECOVER_MODE !== 'production') return null;
  throw new ConfigError(['PUBLIC_URL is not set: production mode needs the origin (https://…) of the API']);
}

/** Starts a gateway. The returned `stop` waits for the requests in progress. */
export async function startGateway(
  settings: Settings,
): Promise<ShutdownSequence & { readonly port: number }> {
  const log = createProcessLog('gateway', settings.LOG_LEVEL);
  enableFailpoints(process.env.CARECOVER_FAILPOINT_FILE, settings.CARECOVER_MODE);
  const running = new ShutdownSequence(log);
  running.add('outages', async () => stopOutageProbes(log));
  try {
    const tracing = await startTracing('gateway', settings, log);
    if (tracing !== null) running.add('tracing', () => tracing.stop());
    const sql = connectPostgres(settings.DATABASE_URL, settings.DATABASE_POOL, 'gateway');
    registerPoolGauges('gateway', sql);
    running.add('database', () => sql.end({ timeoutMs: 5_000 }));
    const database = postgresDependency(sql);
    watchDependency(log, database);
    const upstreams = upstreamsOf(settings, log);
    running.add('services', () => Promise.all(Object.values(upstreams).map((upstream) => upstream.close())));
    compileValidators();
    const store = new AdmissionStore(sql);
    const metrics = new HttpMetrics('gateway');
    const publicUrl = publicUrlOf(settings);
    const signer = new ContextSigner('gateway', settings);
    const addresses = new ClientAddress(settings.TRUSTED_PROXY);
    const capacity = capacityOf(settings, upstreams, log);
    const calls = new DueItemCalls(upstreams, signer, capacity, settings.CARECOVER_ENVIRONMENT);
    const advances = new Advances(sql, calls, log);
    running.add('advances of clocks', () => advances.stop());
    const app = createGateway({
      environment: settings.CARECOVER_ENVIRONMENT,
      sql,
      store,
      advances,
      addresses,
      upstreams,
      capacity,
      signer,
      publicUrl,
      consoleUrl: settings.CONSOLE_PUBLIC_URL,
      hsts: settings.CARECOVER_MODE === 'production',
      unauthenticatedLimit: unauthenticatedLimit(settings),
      log,
      metrics,
    });
    running.add('key uses', () => store.keyUses.write());
    const sweeps = [
      { name: 'key uses', run: () => store.keyUses.write() },
      {
        name: 'request counts',
        run: () => inBatches(async () => (await deleteOldCounts(sql)) > 0),
      },
      {
        name: 'expired tokens',
        run: () => inBatches(async () => (await deleteExpiredTokens(sql, settings.TOKEN_RETENTION_DAYS)) > 0),
      },
      { name: 'interrupted advances of clocks', run: () => advances.sweep() },
      { name: 'old audit entries', run: () => inBatches(async () => (await deleteOldEntries(sql)) > 0) },
    ];
    const sweeper = startSweeper(sweeps, CLEANUP_INTERVAL_MS, log);
    running.add('sweeper', () => sweeper.stop());
    const ready = async () => {
      running.requireRunning();
      await database.probe();
    };
    if (settings.METRICS_PORT !== null) {
      const { METRICS_HOST: host, METRICS_PORT: port } = settings;
      const server = await startPrivateServer({ host, port, metrics, ready });
      running.add('private server', server.close);
    }
    if (settings.OPERATOR_PORT !== null) {
      const operatorRoutes = createOperatorRoutes({
        sql,
        advances,
        contextKeys: settings.CONTEXT_PUBLIC_KEYS,
        signer,
        consoleNetworks: settings.CONSOLE_NETWORKS,
        ready,
        log,
      });
      const server = await startHttpServer(operatorRoutes, settings.OPERATOR_HOST, settings.OPERATOR_PORT);
      running.add("operators' server", server.close);
    }
    const listener = await listen({
      host: settings.HOST,
      port: settings.PORT,
      drainMs: drainMsOf(settings),
      tls: tlsOf(settings),
      handle: app.callback(),
      malformed: createMalformedResponse(publicUrl),
      peerOf: (socket) => addresses.addressOfConnection(socket),
    });
    running.add('listener', listener.close);
    log.info({ port: listener.port }, 'started');
    return Object.assign(running, { port: listener.port });
  } catch (error) {
    await running.stop();
    throw error;
  }
}
