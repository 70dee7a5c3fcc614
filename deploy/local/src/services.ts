/** Starts the processes of Carecover's services in a stack, with their settings. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ISSUERS, publicKeyOf } from '@carecover/config';
import type { ServiceName } from '@carecover/setup/migrate';
import { WORKER_DEPLOYMENTS } from '@carecover/setup/worker-versions';
import type { Certificate } from './certificate';
import type { Child, Children } from './children';
import { StartFailure } from './failure';
import { NATS_USERS, type NatsUser } from './nats';
import { waitUntilReady } from './ready';
import type { Secrets } from './secrets';

/** The services behind the gateway. Their order has no meaning, because each can start while the others are unavailable. */
export const INNER_SERVICES = ['care', 'benefits', 'claims', 'payments', 'webhooks'] as const;
export type InnerService = (typeof INNER_SERVICES)[number];

const SERVER_NAMES = ['postgresql', 'temporal', 'nats'] as const;
/** The name of a server that services connect to. */
export type ServerName = (typeof SERVER_NAMES)[number];

export function isServerName(name: string): name is ServerName {
  return (SERVER_NAMES as readonly string[]).includes(name);
}

export interface ServiceContext {
  children: Children;
  secrets: Secrets;
  certificate: Certificate;
  logs: string;
  mode: 'local' | 'test';
  /** The folder with the failpoints of the services; see {@link failpointFile}. */
  failpoints: string;
  /** How many milliseconds the process still accepts requests after SIGTERM. */
  drainMs: number;
  /** Milliseconds between SIGTERM and SIGKILL when the process is stopped. */
  graceMs: number;
  /** Returns the connection URL of the database for the role of this service. */
  databaseUrl: (service: ServiceName) => string;
  temporalAddress: string;
  natsUrl: string;
  /** Returns the folder of the release (a built clone of this repository) that a process uses from its next start. */
  release: () => string;
  /** Returns the build ID with which the workers of the release start; null if workers have no version and all of them share the tasks. */
  buildId: () => string | null;
  /** The ports of the replicas of each service behind the gateway. */
  innerPorts: Readonly<Record<InnerService, readonly number[]>>;
}

export interface ServiceProcess {
  service: ServiceName;
  /** Number of the replica among the replicas of its service, from 0. */
  replica: number;
  port: number;
  /** Port of the health routes: a separate one for the gateway, otherwise `port`. */
  healthPort: number;
  /** The gateway's port of the operators' routes. */
  operatorPort?: number;
  /** The role of the process: `server` serves requests, `worker` executes workflows and sweeps. By default the process has both roles. */
  role?: 'server' | 'worker' | undefined;
}

/** Returns the name of a process: the name of its service, with the role and the replica's number if the service has several processes. */
export function processName({
  service,
  replica,
  role,
}: Pick<ServiceProcess, 'service' | 'replica' | 'role'>): string {
  if (role !== undefined) return `${service}-${role}-${replica + 1}`;
  return replica === 0 ? service : `${service}-${replica + 1}`;
}

/** Starts a process of a service and waits until it is ready. Settings in `extra` override all others. */
export function startService(
  target: ServiceProcess,
  context: ServiceContext,
  extra: NodeJS.ProcessEnv,
): Promise<Child> {
  const { service, healthPort, role } = target;
  const main = join('services', service, 'dist/main.js');
  const args = role === undefined ? [] : [role];
  const env = { ...settings(target, context), ...extra };
  return startProcess({ name: processName(target), main, args, healthPort }, context, env);
}

/** The ports of the console, and of the identity provider, which only the console uses. */
export interface ConsolePorts {
  readonly console: number;
  readonly consoleHealth: number;
  readonly identityProvider: number;
  readonly gateways: readonly { readonly operatorPort: number }[];
}

function identityProviderSettings({ console, identityProvider }: ConsolePorts, { secrets }: ServiceContext) {
  return {
    OIDC_ISSUER: `http://127.0.0.1:${identityProvider}`,
    OIDC_CLIENT_ID: 'console',
    OIDC_CLIENT_SECRET: secrets.oidcClient,
    CONSOLE_URL: `http://127.0.0.1:${console}`,
  };
}

/** Starts the identity provider with its made-up people, and waits until it is ready. */
export function startIdentityProvider(
  ports: ConsolePorts,
  context: ServiceContext,
  extra: NodeJS.ProcessEnv,
): Promise<Child> {
  const main = 'deploy/local/dist/identity-provider.js';
  const target = { name: 'identity-provider', main, healthPort: ports.identityProvider };
  const port = { PORT: String(ports.identityProvider) };
  return startProcess(target, context, { ...identityProviderSettings(ports, context), ...port, ...extra });
}

/** Starts the console and waits until it is ready. */
export function startConsole(
  ports: ConsolePorts & { readonly temporalUi: string },
  context: ServiceContext,
  extra: NodeJS.ProcessEnv,
): Promise<Child> {
  const main = 'services/console/dist/main.js';
  return startProcess({ name: 'console', main, healthPort: ports.consoleHealth }, context, {
    CARECOVER_ENVIRONMENT: 'sandbox',
    CARECOVER_MODE: context.mode,
    HOST: '127.0.0.1',
    PORT: String(ports.console),
    DRAIN_MS: String(context.drainMs),
    METRICS_PORT: String(ports.consoleHealth),
    ...contextKeysOf('console', context),
    GATEWAY_URL: ports.gateways.map(({ operatorPort }) => `http://127.0.0.1:${operatorPort}`).join(','),
    ...serviceUrls(context),
    ...identityProviderSettings(ports, context),
    TEMPORAL_UI_URL: ports.temporalUi,
    ...extra,
  });
}

/** Starts a built program and waits until it is ready. */
async function startProcess(
  {
    name,
    main: path,
    args = [],
    healthPort,
  }: { name: string; main: string; args?: readonly string[]; healthPort: number },
  context: ServiceContext,
  env: NodeJS.ProcessEnv,
): Promise<Child> {
  const main = join(context.release(), path);
  if (!existsSync(main)) throw new StartFailure(`The program ${name} is not built: ${main} is missing.`);
  const logFile = join(context.logs, `${name}.log`);
  const child = context.children.start({
    name,
    command: process.execPath,
    // Suppresses Node 20's warnings that `require` of an ES module is experimental.
    args: ['--disable-warning=ExperimentalWarning', main, ...args],
    env: { ...inheritedVariables(), ...env },
    logFile,
    graceMs: context.graceMs,
    dependsOnOthers: true,
  });
  await waitUntilReady(child, logFile, () => isReady(healthPort));
  return child;
}

/** Returns the file whose content is the name of the failpoint at which a process of the service ends. */
export function failpointFile(folder: string, service: ServiceName): string {
  return join(folder, service);
}

/** Returns the environment variables with the settings of a service's process in a stack. */
export function settings(target: ServiceProcess, context: ServiceContext): NodeJS.ProcessEnv {
  const { service, port, healthPort, operatorPort, role } = target;
  const buildId = role === 'server' ? null : context.buildId();
  return {
    // A stack is always a sandbox: in the modes local and test, a service does not start with the environment production.
    CARECOVER_ENVIRONMENT: 'sandbox',
    CARECOVER_MODE: context.mode,
    ...(context.mode === 'test'
      ? { CARECOVER_FAILPOINT_FILE: failpointFile(context.failpoints, service) }
      : {}),
    HOST: '127.0.0.1',
    PORT: String(port),
    DRAIN_MS: String(context.drainMs),
    DATABASE_URL: context.databaseUrl(service),
    ...contextKeysOf(service, context),
    ...(service === 'gateway' ? {} : { HASH_SECRET: context.secrets.hash }),
    ...serviceUrls(context),
    ...(hasWorkflows(service)
      ? {
          TEMPORAL_ADDRESS: context.temporalAddress,
          ...(buildId === null ? {} : { WORKER_BUILD_ID: buildId }),
        }
      : {}),
    ...(hasNatsUser(service)
      ? { NATS_URL: context.natsUrl, NATS_PASSWORD: context.secrets.nats[service] }
      : {}),
    ...(service === 'webhooks' ? { WEBHOOK_ENCRYPTION_KEYS: context.secrets.webhookKeys } : {}),
    ...(service === 'gateway'
      ? {
          METRICS_PORT: String(healthPort),
          OPERATOR_PORT: String(operatorPort),
          CONSOLE_NETWORKS: '127.0.0.1/32',
          TLS_CERTIFICATE: context.certificate.leaf,
          TLS_KEY: context.certificate.key,
        }
      : {}),
  };
}

/** The settings with the keys of signed contexts: the public keys of all issuers and, of an issuer, its own private key. */
function contextKeysOf(name: string, { secrets: { contextKeys } }: ServiceContext): NodeJS.ProcessEnv {
  const issuer = ISSUERS.find((each) => each === name);
  return {
    CONTEXT_PUBLIC_KEYS: ISSUERS.map((each) => `${each}:${publicKeyOf(contextKeys[each])}`).join(','),
    ...(issuer === undefined ? {} : { CONTEXT_PRIVATE_KEY: contextKeys[issuer] }),
  };
}

/** The settings that name the addresses of the services. */
function serviceUrls({ innerPorts }: ServiceContext): NodeJS.ProcessEnv {
  const urls = (inner: InnerService) => innerPorts[inner].map((port) => `http://127.0.0.1:${port}`).join(',');
  return Object.fromEntries(INNER_SERVICES.map((inner) => [`${inner.toUpperCase()}_URL`, urls(inner)]));
}

const hasWorkflows = (service: ServiceName) =>
  WORKER_DEPLOYMENTS.some((deployment) => deployment === service);

/** Returns whether a service has a NATS user. The gateway and care have none, because they neither publish nor consume events. */
function hasNatsUser(service: ServiceName): service is ServiceName & NatsUser {
  return NATS_USERS.some((user) => user === service);
}

/** Returns the environment variables that services inherit. Others are left out, because they could change the settings of the stack. */
function inheritedVariables(): NodeJS.ProcessEnv {
  const kept = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'LOG_LEVEL'];
  const isKept = ([name]: [string, unknown]) => kept.includes(name) || name.startsWith('OTEL_');
  return Object.fromEntries(Object.entries(process.env).filter(isKept));
}

async function isReady(port: number): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/health/ready`, {
      signal: AbortSignal.timeout(2_000),
    });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    // If the request fails, the process does not listen yet or has ended. `waitUntilReady` throws an error for a process that has ended.
    return false;
  }
}
