/** For suites: the care service on a database of its own, asked over HTTP as the gateway asks; every answer is held to the contract. */
import { type OperationId, operations, validateOutput } from '@carecover/contract';
import { createTestDatabase, freePort, type TestDatabase } from '@carecover/local/testing';
import {
  type Caller,
  CONTEXT_HEADER,
  connectPostgres,
  loadConfig,
  newId,
  type Sql,
  signContext,
  storedTenant,
  type Tenant,
} from '@carecover/platform';
import { CARE_SETTINGS, type CareConfig, startCare } from '../care';

const SECRET = 'a secret of at least thirty-two characters';
const POOL = 25;

// A machine that does much else takes its time with a new database.
jest.setTimeout(30_000);

export interface Asked {
  readonly tenant?: Tenant;
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
  readonly text: string;
  readonly replayed: boolean;
  /** The error's code, or undefined. */
  readonly code: string | undefined;
}

export interface TestCare {
  readonly database: TestDatabase;
  /** Connected as the service's role. */
  readonly sql: Sql;
  readonly config: CareConfig;
  readonly address: string;
  ask(operation: OperationId, asked: Asked): Promise<Answered>;
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

/** @param benefitsUrl where cancellations are told; nobody is there unless given */
export async function startTestCare(benefitsUrl?: string): Promise<TestCare> {
  const database = await createTestDatabase({ services: ['care'] });
  const config = loadConfig(CARE_SETTINGS, {
    CARECOVER_ENVIRONMENT: 'sandbox',
    CARECOVER_MODE: 'test',
    LOG_LEVEL: 'silent',
    DATABASE_URL: database.url('care'),
    DATABASE_POOL: String(POOL),
    CONTEXT_SECRET: SECRET,
    HASH_SECRET: SECRET,
    TEMPORAL_ADDRESS: '127.0.0.1:1',
    BENEFITS_URL: benefitsUrl ?? `http://127.0.0.1:${await freePort()}`,
  });
  const service = await startCare(config, ['server']);
  const sql = connectPostgres(database.url('care'), POOL, 'care-test');
  const address = `http://127.0.0.1:${service.port}`;

  async function ask(operation: OperationId, asked: Asked): Promise<Answered> {
    const { tenant = newTenant(), params = {}, query = {}, body } = asked;
    const { method } = operations[operation];
    const caller = testCaller(tenant, {
      resourceIds: asked.resourceIds ?? null,
      environment: asked.environment ?? 'sandbox',
    });
    const key = asked.key === undefined ? newId('key_') : asked.key;
    const response = await fetch(`${address}${pathOf(operation, params)}?${new URLSearchParams(query)}`, {
      method,
      headers: {
        [CONTEXT_HEADER]: signContext(caller, SECRET),
        ...(key === null || method === 'GET' ? {} : { 'idempotency-key': key }),
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
    config,
    address,
    ask,
    async stop() {
      await service.stop();
      await sql.end();
      await database.drop();
    },
  };
}
