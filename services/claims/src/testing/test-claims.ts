/**
 * For suites: the claims service over HTTP as the gateway asks it, on a database of its own, with the real workflow on a
 * real engine and the other services in memory. Every answer is held to the contract.
 */
import { type OperationId, operations, validateOutput } from '@carecover/contract';
import { createTestDatabase, type TestDatabase } from '@carecover/local/testing';
import {
  asActivities,
  type Caller,
  CONTEXT_HEADER,
  connectPostgres,
  createLog,
  createServiceApp,
  Engine,
  listen,
  newId,
  requestHash,
  type Sql,
  type Sweep,
  signContext,
  storedTenant,
  type Tenant,
} from '@carecover/platform';
import { workflowBundle } from '@carecover/platform/bundle';
import { DefaultLogger, makeTelemetryFilterString, Runtime, Worker } from '@temporalio/worker';
import { claimActivities } from '../activities';
import { claimsHandlers } from '../claims';
import { claimSweeps } from '../sweeps';
import { OtherServices } from './other-services';
import { type TestEngine, timeSkippingEngine } from './test-engine';

const SECRET = 'a secret of at least thirty-two characters';
const POOL = 30;

export interface Asked {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** A new one for each request, unless given. */
  readonly key?: string;
  readonly resourceIds?: readonly string[];
}

export interface Answered {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the contract's schemas have judged it
  readonly body: any;
  readonly text: string;
  readonly replayed: boolean;
  /** The error's code, or undefined. */
  readonly code: string | undefined;
}

export interface TestClaims {
  readonly database: TestDatabase;
  /** Connected as the service's role. */
  readonly sql: Sql;
  readonly engine: Engine;
  readonly environment: TestEngine;
  readonly others: OtherServices;
  readonly activities: ReturnType<typeof claimActivities>;
  readonly sweeps: readonly Sweep[];
  /** Asks as a project's key. */
  ask(tenant: Tenant, operation: OperationId, asked: Asked): Promise<Answered>;
  /** A command as a process leaves it that dies before the engine heard of it. Gives its id. */
  pendingCommand(
    tenant: Tenant,
    operation: OperationId,
    claimId: string,
    body: object,
    key?: string,
  ): Promise<string>;
  /** Lets this long pass, for the engine and the database alike. */
  pass(ms: number): Promise<void>;
  stop(): Promise<void>;
}

/** A project that no other test has. */
export function newTenant(): Tenant {
  return storedTenant(newId('prj_'));
}

export function testCaller(tenant: Tenant, changes: Partial<Caller> = {}): Caller {
  return {
    tenant,
    environment: 'sandbox',
    authority: 'key_test',
    requestId: newId('req_'),
    resourceIds: null,
    consentDefault: 'granted',
    ...changes,
  };
}

function pathOf(operation: OperationId, params: Readonly<Record<string, string>>): string {
  return `/v1${operations[operation].path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '')}`;
}

/** The workers of all four queues, of which three are in memory; `stop` waits until they have drained. */
async function startWorkers(
  environment: TestEngine,
  activities: object,
  others: OtherServices,
): Promise<{ stop(): Promise<void> }> {
  const connection = environment.nativeConnection;
  const bundle = { codePath: await workflowBundle('claim') };
  const workers = await Promise.all([
    Worker.create({
      connection,
      taskQueue: 'claims',
      workflowBundle: bundle,
      activities: asActivities(activities),
    }),
    Worker.create({ connection, taskQueue: 'care', activities: asActivities(others.care) }),
    Worker.create({ connection, taskQueue: 'benefits', activities: asActivities(others.benefits) }),
    Worker.create({ connection, taskQueue: 'payments', activities: asActivities(others.payments) }),
  ]);
  const running = workers.map((worker) => worker.run());
  return {
    async stop() {
      for (const worker of workers) worker.shutdown();
      await Promise.all(running);
    },
  };
}

/** @param startEngine the time-skipping engine, unless given */
export async function startTestClaims(
  startEngine: () => Promise<TestEngine> = timeSkippingEngine,
): Promise<TestClaims> {
  Runtime.install({
    logger: new DefaultLogger('ERROR'),
    telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' }) } },
  });
  const database = await createTestDatabase({ services: ['claims'] });
  const sql = connectPostgres(database.url('claims'), POOL, 'claims-test');
  const environment = await startEngine();
  const engine = Engine.over(environment.client);
  const others = new OtherServices();
  const activities = claimActivities(sql, engine);
  const workers = await startWorkers(environment, activities, others);
  const log = createLog('claims', 'silent');
  const app = createServiceApp({
    service: 'claims',
    handlers: claimsHandlers(sql, engine),
    contextSecret: SECRET,
    hashSecret: SECRET,
    log,
    ready: async () => undefined,
  });
  const server = await listen(app, '127.0.0.1', 0);
  let offsetMs = 0;

  async function ask(tenant: Tenant, operation: OperationId, asked: Asked): Promise<Answered> {
    const { params = {}, query = {}, body, key = newId('key_') } = asked;
    const { method } = operations[operation];
    const caller = testCaller(tenant, { resourceIds: asked.resourceIds ?? null });
    const address = `http://127.0.0.1:${server.port}${pathOf(operation, params)}?${new URLSearchParams(query)}`;
    const response = await fetch(address, {
      method,
      headers: {
        [CONTEXT_HEADER]: signContext(caller, SECRET),
        ...(method === 'GET' ? {} : { 'idempotency-key': key }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const answer = JSON.parse(text);
    // As the gateway does it: a service knows the page's path alone.
    if (answer.error) answer.error.docs = `https://gateway.test${answer.error.docs}`;
    expect(validateOutput(operation, response.status, answer)).toBeUndefined();
    return {
      status: response.status,
      body: answer,
      text,
      replayed: response.headers.get('idempotent-replayed') === 'true',
      code: answer.error?.code,
    };
  }

  return {
    database,
    sql,
    engine,
    environment,
    others,
    activities,
    sweeps: claimSweeps(sql, engine, log),
    ask,
    async pendingCommand(tenant, operation, claimId, body, key = newId('key_')) {
      const id = newId('cmd_');
      const hash = requestHash(pathOf(operation, { claim_id: claimId }), body, SECRET);
      await sql`
        insert into commands (id, project_id, operation, idempotency_key, request_hash, resource_id, caller, body)
        values (${id}, ${tenant}, ${operation}, ${key}, ${hash}, ${claimId},
                ${sql.json({ ...testCaller(tenant) })}, ${sql.json(JSON.parse(JSON.stringify(body)))})`;
      return id;
    },
    async pass(ms) {
      offsetMs += ms;
      await database.setClockOffset(offsetMs);
      await environment.sleep(ms);
    },
    async stop() {
      await server.close();
      await workers.stop();
      await environment.teardown();
      await sql.end();
      await database.drop();
    },
  };
}
