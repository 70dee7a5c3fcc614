/** The gateway and all services in the process of a test, on one database and one event stream: without Temporal and workers of workflows. */
import { createServer } from 'node:net';
import { startBenefits } from '@carecover/benefits/build';
import { SETTINGS as BENEFITS } from '@carecover/benefits/settings';
import { startCare } from '@carecover/care/build';
import { SETTINGS as CARE } from '@carecover/care/settings';
import { startClaims } from '@carecover/claims/build';
import { SETTINGS as CLAIMS } from '@carecover/claims/settings';
import { loadConfig } from '@carecover/config';
import type { Environment } from '@carecover/contract';
import { startRelay } from '@carecover/events';
import { createProject } from '@carecover/gateway';
import { SETTINGS as GATEWAY } from '@carecover/gateway/settings';
import { startGateway } from '@carecover/gateway/start';
import { startPayments } from '@carecover/payments/build';
import { SETTINGS as PAYMENTS } from '@carecover/payments/settings';
import { connectPostgres, type Sql } from '@carecover/postgres';
import { createLog } from '@carecover/telemetry';
import {
  createTestDatabase,
  startTestNats,
  type TestDatabase,
  type TestNats,
} from '@carecover/testing/servers';
import { contextSettings } from '@carecover/testing/services';
import { startWebhooks } from '@carecover/webhooks/build';
import { SETTINGS as WEBHOOKS } from '@carecover/webhooks/settings';

type Service = 'care' | 'benefits' | 'claims' | 'payments' | 'webhooks';

/** What a request was answered with. */
interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: the tests read the fields of many resources
  readonly body: any;
}

/** A client with the secret key of one project. */
export interface ProjectClient {
  readonly id: string;
  readonly key: string;
  get(path: string): Promise<Answer>;
  /** Sends POST with an idempotency key, by default a new one. */
  post(path: string, body?: unknown, idempotencyKey?: string): Promise<Answer>;
}

const SERVICES: readonly Service[] = ['care', 'benefits', 'claims', 'payments', 'webhooks'];
const PUBLISHERS = ['benefits', 'claims', 'payments'] as const;

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise<void>((resolve) => server.close(() => resolve()));
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}

export class ServicesInProcess {
  private readonly running = new Map<string, { stop(): Promise<void> }>();
  private readonly ports = new Map<string, number>();

  private constructor(
    readonly database: TestDatabase,
    readonly sql: Sql,
    private readonly nats: TestNats,
  ) {}

  static async start(): Promise<ServicesInProcess> {
    const [database, nats] = await Promise.all([
      createTestDatabase({ services: ['gateway', ...SERVICES] }),
      startTestNats(),
    ]);
    const started = new ServicesInProcess(database, connectPostgres(database.adminUrl, 2, 'test'), nats);
    for (const name of [...SERVICES, 'gateway', 'gateway-2']) started.ports.set(name, await freePort());
    for (const name of SERVICES) await started.startService(name);
    await started.startGateway();
    started.startRelays();
    return started;
  }

  urlOf(name: string): string {
    return `http://127.0.0.1:${this.ports.get(name)}`;
  }

  private settings(name: Service | 'gateway', port: string): Record<string, string> {
    return {
      CARECOVER_ENVIRONMENT: 'sandbox',
      CARECOVER_MODE: 'test',
      LOG_LEVEL: 'silent',
      DATABASE_URL: this.database.url(name),
      PORT: String(this.ports.get(port)),
      HASH_SECRET: 'h'.repeat(40),
      TEMPORAL_ADDRESS: '127.0.0.1:1',
      NATS_URL: this.nats.url,
      NATS_PASSWORD: name === 'gateway' || name === 'care' ? 'n'.repeat(24) : this.nats.access(name).password,
      WEBHOOK_ENCRYPTION_KEYS: `k1:${'k'.repeat(43)}=`,
      TRUSTED_PROXY: '127.0.0.1/32',
      ...contextSettings(name === 'webhooks' ? undefined : name),
      ...Object.fromEntries(SERVICES.map((other) => [`${other.toUpperCase()}_URL`, this.urlOf(other)])),
    };
  }

  async startService(name: Service): Promise<void> {
    // A worker of another service would need Temporal.
    const roles = name === 'webhooks' ? [] : ['server'];
    const settings = this.settings(name, name);
    const start = {
      care: () => startCare(loadConfig(CARE, settings), roles),
      benefits: () => startBenefits(loadConfig(BENEFITS, settings), roles),
      claims: () => startClaims(loadConfig(CLAIMS, settings), roles),
      payments: () => startPayments(loadConfig(PAYMENTS, settings), roles),
      webhooks: () => startWebhooks(loadConfig(WEBHOOKS, settings), roles),
    }[name];
    this.running.set(name, await start());
  }

  /** Starts what publishes the events of the services. */
  private startRelays(): void {
    for (const service of PUBLISHERS) {
      const nats = this.nats.access(service);
      const log = createLog(service, 'silent');
      this.running.set(
        `relay of ${service}`,
        startRelay({ service, databaseUrl: this.database.url(service), nats, log }),
      );
    }
  }

  async startGateway(name = 'gateway'): Promise<void> {
    this.running.set(name, await startGateway(loadConfig(GATEWAY, this.settings('gateway', name))));
  }

  async stopPart(name: string): Promise<void> {
    await this.running.get(name)?.stop();
    this.running.delete(name);
  }

  /** Creates a project with a key that has all scopes. @param now the time of a simulated project @param seed of which its IDs follow */
  async project(now?: string, environment: Environment = 'sandbox', seed?: string): Promise<ProjectClient> {
    const created = await createProject(this.sql, 'tests', {
      name: 'Test',
      environment,
      ...(now === undefined ? {} : { now: new Date(now) }),
      ...(seed === undefined ? {} : { seed }),
    });
    return this.client(created.project_id, created.secret_key);
  }

  client(id: string, key: string, gateway = 'gateway'): ProjectClient {
    const send = async (
      method: string,
      path: string,
      body?: unknown,
      idempotencyKey?: string,
    ): Promise<Answer> => {
      const response = await fetch(`${this.urlOf(gateway)}/v1${path}`, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          'x-forwarded-proto': 'https',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(method === 'GET' ? {} : { 'idempotency-key': idempotencyKey ?? crypto.randomUUID() }),
        },
        body: body === undefined ? null : JSON.stringify(body),
      });
      return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
    };
    return {
      id,
      key,
      get: (path) => send('GET', path),
      post: (path, body, idempotencyKey) => send('POST', path, body, idempotencyKey),
    };
  }

  async stop(): Promise<void> {
    for (const name of [...this.running.keys()].reverse()) await this.stopPart(name);
    await this.sql.end();
    await Promise.all([this.database.drop(), this.nats.stop()]);
  }
}
