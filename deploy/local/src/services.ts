/** The service processes of a stack: which settings each gets, and when it is ready. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ServiceName } from '@carecover/setup/migrate';
import type { Certificate } from './certificate';
import type { Child, Children } from './children';
import { StartFailure } from './failure';
import { REPOSITORY } from './home';
import { NATS_USERS, type NatsUser } from './nats';
import { untilReady } from './ready';
import type { Secrets } from './secrets';

/** Those behind the gateway, in no order: each starts while the others are away. */
export const INNER_SERVICES = ['care', 'benefits', 'claims', 'payments', 'webhooks'] as const;
export type InnerService = (typeof INNER_SERVICES)[number];

export interface ServiceSurroundings {
  children: Children;
  secrets: Secrets;
  certificate: Certificate;
  logs: string;
  mode: 'local' | 'test';
  /** Address of a database as this role. */
  databaseUrl: (service: ServiceName) => string;
  temporalAddress: string;
  natsUrl: string;
  /** Ports of each inner service's replicas. */
  innerPorts: Readonly<Record<InnerService, readonly number[]>>;
}

export interface ServiceProcess {
  service: ServiceName;
  /** From 0. */
  replica: number;
  port: number;
  /** The gateway answers about its health elsewhere than it serves the public. */
  healthPort: number;
}

/** Starts the process and waits until it is ready. `extra` settings go before all others. */
export async function startService(
  process_: ServiceProcess,
  around: ServiceSurroundings,
  extra: NodeJS.ProcessEnv,
): Promise<Child> {
  const { service, replica, healthPort } = process_;
  const main = join(REPOSITORY, 'services', service, 'dist/main.js');
  if (!existsSync(main)) throw new StartFailure(`The ${service} service is not built: ${main} is missing.`);
  const name = replica === 0 ? service : `${service}-${replica + 1}`;
  const logFile = join(around.logs, `${name}.log`);
  const child = around.children.start({
    name,
    command: process.execPath,
    // Packages that are ES modules only are required, which Node 20 calls experimental each time.
    args: ['--disable-warning=ExperimentalWarning', main],
    env: { ...inherited(), ...settings(process_, around), ...extra },
    logFile,
    reliesOnOthers: true,
  });
  await untilReady(child, logFile, () => isReady(healthPort));
  return child;
}

function settings(process_: ServiceProcess, around: ServiceSurroundings): NodeJS.ProcessEnv {
  const { service, port, healthPort } = process_;
  const urls = (inner: InnerService) =>
    around.innerPorts[inner].map((innerPort) => `http://127.0.0.1:${innerPort}`).join(',');
  return {
    // The production environment does not run in the local modes.
    CARECOVER_ENVIRONMENT: 'sandbox',
    CARECOVER_MODE: around.mode,
    HOST: '127.0.0.1',
    PORT: String(port),
    DATABASE_URL: around.databaseUrl(service),
    CONTEXT_SECRET: around.secrets.context,
    ...(service === 'gateway' ? {} : { HASH_SECRET: around.secrets.hash }),
    ...Object.fromEntries(INNER_SERVICES.map((inner) => [`${inner.toUpperCase()}_URL`, urls(inner)])),
    ...(WITH_WORKFLOWS.has(service) ? { TEMPORAL_ADDRESS: around.temporalAddress } : {}),
    ...(hasNatsUser(service)
      ? { NATS_URL: around.natsUrl, NATS_PASSWORD: around.secrets.nats[service] }
      : {}),
    ...(service === 'webhooks' ? { WEBHOOK_ENCRYPTION_KEYS: around.secrets.webhookKeys } : {}),
    ...(service === 'gateway'
      ? {
          METRICS_PORT: String(healthPort),
          TLS_CERTIFICATE: around.certificate.leaf,
          TLS_KEY: around.certificate.key,
        }
      : {}),
  };
}

const WITH_WORKFLOWS: ReadonlySet<ServiceName> = new Set(['benefits', 'claims', 'payments']);

/** The gateway and care have no events, and so no way to NATS. */
function hasNatsUser(service: ServiceName): service is ServiceName & NatsUser {
  return NATS_USERS.some((user) => user === service);
}

/** A service gets its settings from here alone, so that a stray variable of the user's changes nothing; OpenTelemetry's are meant. */
function inherited(): NodeJS.ProcessEnv {
  const kept = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'LOG_LEVEL'];
  const isKept = ([name]: [string, unknown]) => kept.includes(name) || name.startsWith('OTEL_');
  return Object.fromEntries(Object.entries(process.env).filter(isKept));
}

async function isReady(port: number): Promise<boolean> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/health/ready`, {
      signal: AbortSignal.timeout(2_000),
    });
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    // Nobody listens yet; whether the process has ended is looked at elsewhere.
    return false;
  }
}
