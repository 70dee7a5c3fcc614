/** Composes the console process: the connections to the services, the sign-in, and the server. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ConfigError } from '@carecover/config';
import { compileValidators } from '@carecover/contract';
import {
  boundConnections,
  ClientAddress,
  type ConnectionMaximums,
  createTlsServer,
  defaultConnectionMaximums,
  drainMsOf,
  GracefulStop,
  keepHeaderLines,
  limitConnections,
  startPrivateServer,
  tlsOf,
} from '@carecover/http';
import { createProcessLog, ShutdownSequence } from '@carecover/process';
import { HttpMetrics, startTracing } from '@carecover/telemetry';
import { createConsole } from './app';
import { Services } from './operations';
import type { Settings } from './settings';
import { SignIn } from './sign-in';

/**
 * Rejects plain HTTP addresses in production mode, because cookies and authorization codes must be encrypted in transit.
 *
 * @throws ConfigError
 */
function requireTls({ CARECOVER_MODE, CONSOLE_URL, OIDC_ISSUER }: Settings): void {
  if (CARECOVER_MODE !== 'production') return;
  const problems = Object.entries({ CONSOLE_URL, OIDC_ISSUER })
    .filter(([, url]) => !url.startsWith('https:'))
    .map(([name]) => `${name} must start with https:// in production mode`);
  if (problems.length > 0) throw new ConfigError(problems);
}

/** A browser sends the cookies of all sign-ins that it has started. Many tabs that are opened at once can start many. */
const HTTP_OPTIONS = { maxHeaderSize: 64 * 1024 };

/** Creates the server, whose connections have deadlines and are limited in total and per address. */
export function createHttpServer(
  settings: Pick<Settings, 'TLS_CERTIFICATE' | 'TLS_KEY'>,
  addresses: ClientAddress,
  maximums: ConnectionMaximums = defaultConnectionMaximums(),
): Server {
  const tls = tlsOf(settings);
  const server = tls === null ? createServer(HTTP_OPTIONS) : (createTlsServer(tls, HTTP_OPTIONS) as Server);
  boundConnections(keepHeaderLines(server));
  limitConnections(server, (socket) => addresses.addressOfConnection(socket), maximums);
  return server;
}

/** Starts a console. The returned `stop` waits for the requests in progress. */
export async function startConsole(
  settings: Settings,
): Promise<ShutdownSequence & { readonly port: number }> {
  requireTls(settings);
  const log = createProcessLog('console', settings.LOG_LEVEL);
  const running = new ShutdownSequence(log);
  const tracing = await startTracing('console', settings, log);
  if (tracing !== null) running.add('tracing', () => tracing.stop());
  compileValidators();
  const services = new Services(settings);
  running.add('services', () => services.close());
  const metrics = new HttpMetrics('console');
  if (settings.METRICS_PORT !== null) {
    const { METRICS_HOST: host, METRICS_PORT: port } = settings;
    const ready = async () => {
      running.requireRunning();
      await services.probeGateway();
    };
    const server = await startPrivateServer({ host, port, metrics, ready });
    running.add('private server', server.close);
  }
  const addresses = new ClientAddress(settings.TRUSTED_PROXY);
  const app = createConsole({
    services,
    metrics,
    signIn: new SignIn(settings, addresses, log),
    addresses,
    temporalUi: settings.TEMPORAL_UI_URL,
    origin: new URL(settings.CONSOLE_URL).origin,
    rolesClaim: settings.OIDC_ROLES_CLAIM,
    hsts: settings.CARECOVER_MODE === 'production',
    log,
  });
  const server = createHttpServer(settings, addresses);
  const stop = new GracefulStop(drainMsOf(settings));
  server.on('request', stop.onRequest).on('request', app.callback());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(settings.PORT, settings.HOST, resolve);
  });
  running.add('server', () => stop.close(server));
  running.add('drain', () => stop.drain());
  const { port } = server.address() as AddressInfo;
  log.info({ port }, 'started');
  return Object.assign(running, { port });
}
