/** For suites: the webhooks service on a database and a stream of its own, asked over HTTP; every answer is held to the contract. */
import { randomBytes } from 'node:crypto';
import { type EventType, type OperationId, operations, validateOutput } from '@carecover/contract';
import {
  createTestDatabase,
  startTestNats,
  type TestDatabase,
  type TestServer,
} from '@carecover/local/testing';
import {
  type Caller,
  CONTEXT_HEADER,
  connectPostgres,
  connectStream,
  type EventStream,
  ensureStream,
  eventPayload,
  loadConfig,
  newId,
  type Sql,
  signContext,
  storedTenant,
  type Tenant,
} from '@carecover/platform';
import { type Seams, startWebhooks } from '../build';
import { SETTINGS } from '../settings';

const SECRET = 'a secret of at least thirty-two characters';

// A machine that does much else takes its time.
jest.setTimeout(60_000);

export interface Asked {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** A new one for each request, unless given; null sends none. */
  readonly key?: string | null;
  readonly resourceIds?: readonly string[];
  readonly environment?: Caller['environment'];
}

export interface Answered {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the contract's schemas have judged it
  readonly body: any;
  readonly replayed: boolean;
  /** The error's code, or undefined. */
  readonly code: string | undefined;
}

export interface TestWebhooks {
  readonly database: TestDatabase;
  readonly nats: TestServer & { readonly url: string };
  /** Connected as the service's role. */
  readonly sql: Sql;
  ask(tenant: Tenant, operation: OperationId, asked?: Asked): Promise<Answered>;
  /** Registers an endpoint; every event type unless told which. */
  endpoint(
    tenant: Tenant,
    url: string,
    events?: readonly EventType[],
  ): Promise<{ id: string; secret: string }>;
  /** Puts an event on the stream, as another service's relay does; gives its id. */
  emit(tenant: Tenant, changes?: Partial<Emitted>): Promise<string>;
  /** Puts bytes on the stream. */
  publish(data: string | Uint8Array): Promise<void>;
  /** Starts a further process of the service, or the first again. */
  start(): Promise<void>;
  /** Stops every process of the service. */
  halt(): Promise<void>;
  stop(): Promise<void>;
}

export interface Emitted {
  readonly id: string;
  readonly type: EventType;
  readonly resourceId: string;
  readonly version: number;
  readonly createdAt: Date;
}

/** A project that no other test has. */
export function newTenant(): Tenant {
  return storedTenant(newId('prj_'));
}

function pathOf(operation: OperationId, params: Readonly<Record<string, string>>): string {
  return `/v1${operations[operation].path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '')}`;
}

export async function startTestWebhooks(
  options: {
    seams?: Seams;
    mode?: 'production' | 'test';
    cluster?: string;
    keys?: string;
    autostart?: boolean;
  } = {},
): Promise<TestWebhooks> {
  const { seams = {}, mode = 'test', cluster, keys = `k1:${randomBytes(32).toString('base64')}` } = options;
  const nats = await startTestNats();
  const database = await createTestDatabase({
    services: ['webhooks'],
    ...(cluster === undefined ? {} : { cluster }),
  });
  const config = loadConfig(SETTINGS, {
    CARECOVER_ENVIRONMENT: 'sandbox',
    CARECOVER_MODE: mode,
    LOG_LEVEL: 'silent',
    DATABASE_URL: database.url('webhooks'),
    CONTEXT_SECRET: SECRET,
    HASH_SECRET: SECRET,
    NATS_URL: nats.url,
    WEBHOOK_ENCRYPTION_KEYS: keys,
  });
  const sql = connectPostgres(database.url('webhooks'), 5, 'webhooks-test');
  const running: Awaited<ReturnType<typeof startWebhooks>>[] = [];
  let publisher: EventStream | null = null;

  async function publish(data: string | Uint8Array, id: string = newId('msg_')): Promise<void> {
    for (;;) {
      try {
        if (publisher === null) {
          publisher = await connectStream([nats.url], 'test');
          await ensureStream(publisher);
        }
        await publisher.js.publish('carecover.events.test', data, { msgID: id });
        return;
      } catch {
        await publisher?.close();
        publisher = null;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
  }

  const harness: TestWebhooks = {
    database,
    nats,
    sql,
    publish: (data) => publish(data),
    async ask(tenant, operation, asked = {}) {
      const { params = {}, query = {}, body } = asked;
      const { method } = operations[operation];
      const caller: Caller = {
        tenant,
        environment: asked.environment ?? 'sandbox',
        authority: 'key_test',
        requestId: newId('req_'),
        resourceIds: asked.resourceIds ?? null,
        consentDefault: 'granted',
      };
      const key = asked.key === undefined ? newId('key_') : asked.key;
      const address = `http://127.0.0.1:${running[0]?.port}`;
      const response = await fetch(`${address}${pathOf(operation, params)}?${new URLSearchParams(query)}`, {
        method,
        headers: {
          [CONTEXT_HEADER]: signContext(caller, SECRET),
          ...(key === null || method === 'GET' ? {} : { 'idempotency-key': key }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const answer = JSON.parse(await response.text());
      // As the gateway does it: a service knows the page's path alone.
      if (answer.error) answer.error.docs = `https://gateway.test${answer.error.docs}`;
      expect(validateOutput(operation, response.status, answer)).toBeUndefined();
      return {
        status: response.status,
        body: answer,
        replayed: response.headers.get('idempotent-replayed') === 'true',
        code: answer.error?.code,
      };
    },
    async endpoint(tenant, url, events = ['claim.submitted', 'claim.settled']) {
      const { body } = await harness.ask(tenant, 'createWebhookEndpoint', { body: { url, events } });
      return { id: body.id, secret: body.signing_secret };
    },
    async emit(tenant, changes = {}) {
      const { id = newId('evt_'), type = 'claim.submitted', resourceId = newId('clm_') } = changes;
      const [clock] = await sql<{ now: Date }[]>`select platform.now() as now`;
      const payload = eventPayload(id, {
        type,
        environment: 'sandbox',
        resourceVersion: changes.version ?? 1,
        createdAt: changes.createdAt ?? clock?.now ?? new Date(),
        data: {
          id: resourceId,
          object: 'claim',
          status: 'submitted',
          submission_version: 1,
          adjudication_version: null,
          amount: { currency: 'KES', billed: 1, approved: null, remitted: null, settled: null },
        },
      });
      await publish(JSON.stringify({ project_id: tenant, resource_id: resourceId, payload }), id);
      return id;
    },
    async start() {
      running.push(await startWebhooks(config, [], seams));
    },
    async halt() {
      await Promise.all(running.splice(0).map((service) => service.stop()));
    },
    async stop() {
      await harness.halt();
      await publisher?.close();
      await sql.end();
      await Promise.all([nats.stop(), cluster === undefined ? database.drop() : Promise.resolve()]);
    },
  };
  if (options.autostart !== false) await harness.start();
  return harness;
}

/** Asks again and again until `check` finds what it looks for; the test's own time limit ends it. */
export async function eventually<T>(check: () => Promise<T | undefined | false>): Promise<T> {
  for (;;) {
    const found = await check();
    if (found !== undefined && found !== false) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
