/** Starts the service processes of a stack with their settings. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ServiceName } from '@carecover/setup/migrate';
import type { Certificate } from './certificate';
import type { Child, Children } from './children';
import { StartFailure } from './failure';
import { REPOSITORY } from './home';
import { NATS_USERS, type NatsUser } from './nats';
import { waitUntilReady } from './ready';
import type { Secrets } from './secrets';

/** The services behind the gateway, in any order: each can start while the others are unavailable. */
export const INNER_SERVICES = ['care', 'benefits', 'claims', 'payments', 'webhooks'] as const;
export type InnerService = (typeof INNER_SERVICES)[number];

export interface ServiceContext {
  children: Children;
  secrets: Secrets;
  certificate: Certificate;
  logs: string;
  mode: 'local' | 'test';
  /** Returns the address of the database for this role. */
  databaseUrl: (service: ServiceName) => string;
  temporalAddress: string;
  natsUrl: string;
  /** Ports of the replicas of each inner service. */
  innerPorts: Readonly<Record<InnerService, readonly number[]>>;
}

export interface ServiceProcess {
  service: ServiceName;
  /** Counted from 0. */
  replica: number;
  port: number;
  /** The gateway's health routes have a separate port. */
  healthPort: number;
}

/** Starts the process and waits until it is ready. Settings in `extra` override all others. */
export async function startService(
  target: ServiceProcess,
  context: ServiceContext,
  extra: NodeJS.ProcessEnv,
): Promise<Child> {
  const { service, replica, healthPort } = target;
  const main = join(REPOSITORY, 'services', service, 'dist/main.js');
  if (!existsSync(main)) throw new StartFailure(`The ${service} service is not built: ${main} is missing.`);
  const name = replica === 0 ? service : `${service}-${replica + 1}`;
  const logFile = join(context.logs, `${name}.log`);
  const child = context.children.start({
    name,
    command: process.execPath,
    // Node 20 warns each time that a required ES module is experimental.
    args: ['--disable-warning=ExperimentalWarning', main],
    env: { ...inheritedVariables(), ...settings(target, context), ...extra },
    logFile,
    dependsOnOthers: true,
  });
  await waitUntilReady(child, logFile, () => isReady(healthPort));
  return child;
}

function settings(target: ServiceProcess, context: ServiceContext): NodeJS.ProcessEnv {
  const { service, port, healthPort } = target;
  const urls = (inner: InnerService) =>
    context.innerPorts[inner].map((innerPort) => `http://127.0.0.1:${innerPort}`).join(',');
  return {
    // The production environment is not available in these modes.
    CARECOVER_ENVIRONMENT: 'sandbox',
    CARECOVER_MODE: context.mode,
    HOST: '127.0.0.1',
    PORT: String(port),
    DATABASE_URL: context.databaseUrl(service),
    CONTEXT_SECRET: context.secrets.context,
    ...(service === 'gateway' ? {} : { HASH_SECRET: context.secrets.hash }),
    ...Object.fromEntries(INNER_SERVICES.map((inner) => [`${inner.toUpperCase()}_URL`, urls(inner)])),
    ...(WITH_WORKFLOWS.has(service) ? { TEMPORAL_ADDRESS: context.temporalAddress } : {}),
    ...(hasNatsUser(service)
      ? { NATS_URL: context.natsUrl, NATS_PASSWORD: context.secrets.nats[service] }
      : {}),
    ...(service === 'webhooks' ? { WEBHOOK_ENCRYPTION_KEYS: context.secrets.webhookKeys } : {}),
    ...(service === 'gateway'
      ? {
          METRICS_PORT: String(healthPort),
          TLS_CERTIFICATE: context.certificate.leaf,
          TLS_KEY: context.certificate.key,
        }
      : {}),
  };
}

const WITH_WORKFLOWS: ReadonlySet<ServiceName> = new Set(['benefits', 'claims', 'payments']);

/** The gateway and care have no events, so they have no NATS user. */
function hasNatsUser(service: ServiceName): service is ServiceName & NatsUser {
  return NATS_USERS.some((user) => user === service);
}

/** Returns the user's variables that services get. Others must not change the stack, except those of OpenTelemetry. */
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
    // The process does not listen yet. `waitUntilReady` checks whether it has ended.
    return false;
  }
}
