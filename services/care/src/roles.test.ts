import { loadConfig } from '@carecover/config';
import { createTestDatabase, freePort, type TestDatabase } from '@carecover/testing/servers';
import { askService, contextSettings, newTenant, SERVICE_SECRET } from '@carecover/testing/services';
import { startCare } from './build';
import { SETTINGS } from './settings';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ services: ['care'] });
});
afterAll(() => database.drop());

/** Starts the service in the given roles. Returns its health, the names of its metrics, and the HTTP status of one operation. */
async function serve(roles: readonly string[]) {
  const config = loadConfig(SETTINGS, {
    CARECOVER_ENVIRONMENT: 'sandbox',
    CARECOVER_MODE: 'test',
    LOG_LEVEL: 'silent',
    DATABASE_URL: database.url('care'),
    ...contextSettings('care'),
    HASH_SECRET: SERVICE_SECRET,
    BENEFITS_URL: `http://127.0.0.1:${await freePort()}`,
  });
  const service = await startCare(config, roles);
  try {
    const get = (path: string) => fetch(`http://127.0.0.1:${service.port}${path}`);
    const metrics = await (await get('/metrics')).text();
    return {
      live: (await get('/health/live')).status,
      ready: (await get('/health/ready')).status,
      hasPoolGauges: metrics.includes('\ncarecover_database_pool_size{'),
      hasTableGauges: metrics.includes('\ncarecover_commands_pending{'),
      listing: (await askService(service.port, newTenant(), 'listPractitioners')).status,
    };
  } finally {
    await service.stop();
  }
}

test('a worker alone serves health and metrics, and no operation', async () => {
  expect(await serve(['worker'])).toEqual({
    ...{ live: 200, ready: 200 },
    ...{ hasPoolGauges: true, hasTableGauges: false },
    listing: 503,
  });
});

test('a server alone serves the operations and the gauges of its tables', async () => {
  expect(await serve(['server'])).toEqual({
    ...{ live: 200, ready: 200 },
    ...{ hasPoolGauges: true, hasTableGauges: true },
    listing: 200,
  });
});
