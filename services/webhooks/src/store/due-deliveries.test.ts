import { connectPostgres, type Sql } from '@carecover/postgres';
import { createTestDatabase, type TestDatabase } from '@carecover/testing/servers';
import { newTenant } from '@carecover/testing/services';
import { withIndexPlansOnly } from '../build';
import { type DueDelivery, LEASE_MS, leaseDueDeliveries, releaseLeases } from './due-deliveries';

let database: TestDatabase;
let sql: Sql;

beforeAll(async () => {
  database = await createTestDatabase({ services: ['webhooks'] });
  sql = connectPostgres(withIndexPlansOnly(database.url('webhooks')), 2, 'test');
  const tenant = newTenant();
  await sql`
    insert into endpoints (id, project_id, url, destination, events)
    values ('whe_1', ${tenant}, 'https://a.example', 'a.example:443', '{claim.settled}')`;
  await sql`
    insert into events (id, project_id, resource_id, type, payload, created_at)
    values ('evt_1', ${tenant}, 'clm_1', 'claim.settled', '{}', platform.now())`;
});
beforeEach(async () => {
  await database.setClockOffset(0);
  await sql`
    insert into deliveries (id, endpoint_id, project_id, type, created_at, next_attempt_at)
    select 'evt_1', id, project_id, 'claim.settled', platform.now(), platform.now() from endpoints
    on conflict (endpoint_id, id) do update set leased_until = null, round = 1, next_attempt_at = excluded.next_attempt_at`;
});
afterAll(async () => {
  await sql?.end();
  await database?.drop();
});

async function lease(): Promise<readonly DueDelivery[]> {
  const { deliveries } = await leaseDueDeliveries(sql, null, {
    ...{ usedByEndpoint: new Map(), perEndpoint: 10, perFailingEndpoint: 2 },
    ...{ usedByDestination: new Map(), perDestination: 16, free: 10 },
  });
  return deliveries;
}

test('a released delivery can be leased at once', async () => {
  const leased = await lease();
  expect(leased).toHaveLength(1);
  expect(await lease()).toHaveLength(0);
  await releaseLeases(sql, leased);
  expect(await lease()).toHaveLength(1);
});

test('a release does not end the lease of another process that leased the delivery later', async () => {
  const expired = await lease();
  await database.setClockOffset(LEASE_MS + 1);
  expect(await lease()).toHaveLength(1);
  await releaseLeases(sql, expired);
  expect(await lease()).toHaveLength(0);
});

test('a release does not end the lease of a later round', async () => {
  await database.stopClock(Date.now() + 1_000);
  const earlier = await lease();
  await sql`update deliveries set round = 2, leased_until = null`;
  expect(await lease()).toHaveLength(1);
  await releaseLeases(sql, earlier);
  expect(await lease()).toHaveLength(0);
});
