import { DELIVERY_HISTORY_LIMIT } from '@carecover/contract';
import { connectPostgres, type Sql } from '@carecover/postgres';
import { createTestDatabase, type TestDatabase } from '@carecover/testing/servers';
import { newTenant } from '@carecover/testing/services';
import { withIndexPlansOnly } from '../build';
import { explainDeliveries } from '../use-cases/explain-deliveries';
import { attemptsOf } from './deliveries';

let database: TestDatabase;
let sql: Sql;

beforeAll(async () => {
  database = await createTestDatabase({ services: ['webhooks'] });
  sql = connectPostgres(withIndexPlansOnly(database.url('webhooks')), 2, 'test');
});
afterAll(async () => {
  await sql?.end();
  await database?.drop();
});

test('the history of a delivery has its newest attempts up to the limit, oldest first', async () => {
  const tenant = newTenant();
  const many = DELIVERY_HISTORY_LIMIT + 30;
  await sql`
    insert into endpoints (id, project_id, url, destination, events)
    values ('whe_1', ${tenant}, 'https://a.example', 'a.example:443', '{claim.settled}')`;
  for (const [id, attempts] of [
    ['evt_1', many],
    ['evt_2', 3],
  ] as const) {
    await sql`
      insert into events (id, project_id, resource_id, type, payload, created_at)
      values (${id}, ${tenant}, 'clm_1', 'claim.settled', '{}', platform.now())`;
    await sql`
      insert into deliveries (id, endpoint_id, project_id, type, created_at, status, attempts)
      values (${id}, 'whe_1', ${tenant}, 'claim.settled', platform.now(), 'failed', ${attempts})`;
    await sql`
      insert into attempts (endpoint_id, event_id, started_at, duration_ms)
      select 'whe_1', ${id}, platform.now(), n from generate_series(1, ${attempts}) n`;
  }
  const attempts = await attemptsOf(sql, [
    { endpoint_id: 'whe_1', id: 'evt_1' },
    { endpoint_id: 'whe_1', id: 'evt_2' },
  ]);
  const numbersOf = (eventId: string) =>
    attempts.filter(({ event_id }) => event_id === eventId).map(({ duration_ms }) => duration_ms);
  expect(numbersOf('evt_1')).toEqual(Array.from({ length: DELIVERY_HISTORY_LIMIT }, (_, n) => n + 31));
  expect(numbersOf('evt_2')).toEqual([1, 2, 3]);
  const explained = await explainDeliveries(sql, tenant, 'evt_1');
  expect(explained?.endpoints[0]?.history).toHaveLength(DELIVERY_HISTORY_LIMIT);
  expect(explained?.endpoints[0]?.reason).toContain(`${many} attempts`);
});
