/** For suites: the care service on a database of its own, asked over HTTP as the gateway asks; every answer is held to the contract. */
import type { OperationId } from '@carecover/contract';
import {
  type Answered,
  type Asked as AskedOfProject,
  askService,
  createTestDatabase,
  freePort,
  newTenant,
  SERVICE_SECRET,
  type TestDatabase,
} from '@carecover/local/testing';
import { connectPostgres, loadConfig, type Sql, type Tenant } from '@carecover/platform';
import { startCare } from '../build';
import { SETTINGS, type Settings } from '../settings';

const POOL = 25;

export interface Asked extends AskedOfProject {
  /** A new one unless given. */
  readonly tenant?: Tenant;
}

export interface TestCare {
  readonly database: TestDatabase;
  /** Connected as the service's role. */
  readonly sql: Sql;
  readonly config: Settings;
  readonly address: string;
  ask(operation: OperationId, asked: Asked): Promise<Answered>;
  stop(): Promise<void>;
}

/** @param benefitsUrl where cancellations are told; nobody is there unless given */
export async function startTestCare(benefitsUrl?: string): Promise<TestCare> {
  const database = await createTestDatabase({ services: ['care'] });
  const config = loadConfig(SETTINGS, {
    CARECOVER_ENVIRONMENT: 'sandbox',
    CARECOVER_MODE: 'test',
    LOG_LEVEL: 'silent',
    DATABASE_URL: database.url('care'),
    DATABASE_POOL: String(POOL),
    CONTEXT_SECRET: SERVICE_SECRET,
    HASH_SECRET: SERVICE_SECRET,
    BENEFITS_URL: benefitsUrl ?? `http://127.0.0.1:${await freePort()}`,
  });
  const service = await startCare(config, ['server']);
  const sql = connectPostgres(database.url('care'), POOL, 'care-test');

  return {
    database,
    sql,
    config,
    address: `http://127.0.0.1:${service.port}`,
    ask: (operation, { tenant = newTenant(), ...asked }) =>
      askService(service.port, tenant, operation, asked),
    async stop() {
      await service.stop();
      await sql.end();
      await database.drop();
    },
  };
}
