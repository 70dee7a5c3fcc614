/**
 * Starts the webhooks service for tests, with a database and a stream of its own. Requests are sent over HTTP, and responses are validated
 * against the API contract.
 */
import { randomBytes } from 'node:crypto';
import { loadConfig } from '@carecover/config';
import type { EventType, OperationId } from '@carecover/contract';
import { newId, type Tenant } from '@carecover/domain';
import { connectStream, ensureStream, eventPayload } from '@carecover/events';
import { connectPostgres, type Sql } from '@carecover/postgres';
import {
  createTestDatabase,
  startTestNats,
  type TestDatabase,
  type TestNats,
} from '@carecover/testing/servers';
import {
  type Answered,
  type Asked,
  askOperatorRoute,
  askService,
  contextSettings,
  SERVICE_SECRET,
} from '@carecover/testing/services';
import { startWebhooks, type TestOverrides } from '../build';
import { SETTINGS } from '../settings';

export interface TestWebhooks {
  readonly database: TestDatabase;
  readonly nats: TestNats;
  /** A connection with the database role of the service. */
  readonly sql: Sql;
  /** The port of the first process of the service. */
  readonly port: number;
  /** Sends a request of a project. @param replica the index of the process of the service that receives it, from 0 */
  request(tenant: Tenant, operation: OperationId, options?: Asked, replica?: number): Promise<Answered>;
  /** Reads an operators' route for a project. */
  operator(tenant: Tenant, path: string, issuer?: 'console' | 'gateway'): ReturnType<typeof askOperatorRoute>;
  /** Registers an endpoint, by default for two event types of claims. */
  endpoint(
    tenant: Tenant,
    url: string,
    events?: readonly EventType[],
  ): Promise<{ id: string; secret: string }>;
  /** Publishes an event to the stream, as the relay of another service does. Returns the event's ID. */
  emit(tenant: Tenant, changes?: Partial<Emitted>): Promise<string>;
  /** Publishes a message to the stream. */
  publish(data: string | Uint8Array): Promise<void>;
  /** Starts a further process of the service. */
  start(): Promise<void>;
  /** Stops all processes of the service, but not the database and NATS. */
  halt(): Promise<void>;
  stop(): Promise<void>;
}

interface Emitted {
  readonly id: string;
  readonly type: EventType;
  readonly resourceId: string;
  readonly version: number;
  readonly createdAt: Date;
}

export async function startTestWebhooks(
  options: {
    overrides?: TestOverrides;
    mode?: 'production' | 'test';
    cluster?: string;
    keys?: string;
    autostart?: boolean;
    nats?: TestNats;
  } = {},
): Promise<TestWebhooks> {
  const {
    overrides = {},
    mode = 'test',
    cluster,
    keys = `k1:${randomBytes(32).toString('base64')}`,
  } = options;
  const nats = options.nats ?? (await startTestNats());
  const database = await createTestDatabase({
    services: ['webhooks'],
    ...(cluster === undefined ? {} : { cluster }),
  });
  const config = loadConfig(SETTINGS, {
    CARECOVER_ENVIRONMENT: 'sandbox',
    CARECOVER_MODE: mode,
    LOG_LEVEL: 'silent',
    DATABASE_URL: database.url('webhooks'),
    ...contextSettings(),
    HASH_SECRET: SERVICE_SECRET,
    NATS_URL: nats.url,
    NATS_PASSWORD: nats.access('webhooks').password,
    WEBHOOK_ENCRYPTION_KEYS: keys,
  });
  const sql = connectPostgres(database.url('webhooks'), 5, 'webhooks-test');
  const running: Awaited<ReturnType<typeof startWebhooks>>[] = [];
  const publisher = await connectStream(nats.access('operator'), 'test');
  await ensureStream(publisher);

  async function publish(
    data: string | Uint8Array,
    id: string = newId('msg_'),
    subject = 'carecover.events.test',
  ): Promise<void> {
    await publisher.js.publish(subject, data, { msgID: id });
  }

  const harness: TestWebhooks = {
    database,
    nats,
    sql,
    get port() {
      return running[0]?.port ?? 0;
    },
    publish: (data) => publish(data),
    request: (tenant, operation, options, replica = 0) =>
      askService(running[replica]?.port ?? 0, tenant, operation, options),
    operator: (tenant, path, issuer = 'console') =>
      askOperatorRoute('webhooks', running[0]?.port ?? 0, tenant, 'GET', path, { issuer }),
    async endpoint(tenant, url, events = ['claim.submitted', 'claim.settled']) {
      const { body } = await harness.request(tenant, 'createWebhookEndpoint', { body: { url, events } });
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
      const message = JSON.stringify({ project_id: tenant, resource_id: resourceId, payload });
      await publish(message, id, `carecover.events.claims.${type}`);
      return id;
    },
    async start() {
      running.push(await startWebhooks(config, [], overrides));
    },
    async halt() {
      await Promise.all(running.splice(0).map((service) => service.stop()));
    },
    async stop() {
      await harness.halt();
      await publisher.close();
      await sql.end();
      await Promise.all([nats.stop(), cluster === undefined ? database.drop() : Promise.resolve()]);
    },
  };
  if (options.autostart !== false) await harness.start();
  return harness;
}
