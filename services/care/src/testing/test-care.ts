/** Runs the care service with its own database, for tests. Requests are sent as the gateway does; responses are validated by the contract. */

import { loadConfig } from '@carecover/config';
import type { OperationId } from '@carecover/contract';
import type { Tenant } from '@carecover/domain';
import { connectPostgres, type Sql } from '@carecover/postgres';
import { createTestDatabase, freePort, type TestDatabase } from '@carecover/testing/servers';
import {
  type Answered,
  type Asked,
  askService,
  contextSettings,
  newTenant,
  SERVICE_SECRET,
} from '@carecover/testing/services';
import { startCare } from '../build';
import { SETTINGS, type Settings } from '../settings';

/** One project may use half of the connections. With this number, twenty concurrent requests of one project have one each. */
const POOL = 45;

export interface RequestOptions extends Asked {
  /** The tenant that sends the request; by default a new one. */
  readonly tenant?: Tenant;
}

export interface TestCare {
  readonly database: TestDatabase;
  /** A connection with the service's role. */
  readonly sql: Sql;
  readonly config: Settings;
  readonly address: string;
  request(operation: OperationId, options: RequestOptions): Promise<Answered>;
  stop(): Promise<void>;
}

/**
 * Starts the care service.
 *
 * @param benefitsUrl the address to which cancellations are sent; by default a port on which nothing listens
 */
export async function startTestCare(benefitsUrl?: string): Promise<TestCare> {
  const database = await createTestDatabase({ services: ['care'] });
  const config = loadConfig(SETTINGS, {
    CARECOVER_ENVIRONMENT: 'sandbox',
    CARECOVER_MODE: 'test',
    LOG_LEVEL: 'silent',
    DATABASE_URL: database.url('care'),
    DATABASE_POOL: String(POOL),
    ...contextSettings('care'),
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
    request: (operation, { tenant = newTenant(), ...options }) =>
      askService(service.port, tenant, operation, options),
    async stop() {
      await service.stop();
      await sql.end();
      await database.drop();
    },
  };
}
