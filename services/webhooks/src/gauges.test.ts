import { connectPostgres, type Sql } from '@carecover/postgres';
import { createTestDatabase, type TestDatabase } from '@carecover/testing/servers';
import { withIndexPlansOnly } from './build';
import { GAUGES } from './gauges';

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

const overdueSeconds = () =>
  GAUGES.find(({ name }) => name === 'carecover_webhook_oldest_overdue_seconds')?.read(sql);

async function delivery(endpointId: string, overdue: string): Promise<void> {
  const eventId = `evt_${endpointId}_${overdue.replaceAll(' ', '_')}`;
  await sql`
    insert into events (id, project_id, resource_id, type, payload, created_at)
    values (${eventId}, 'prj_1', 'clm_1', 'claim.settled', '{}', platform.now())`;
  await sql`
    insert into deliveries (id, endpoint_id, project_id, type, created_at, next_attempt_at)
    select ${eventId}, ${endpointId}, 'prj_1', 'claim.settled', at, at - ${overdue}::interval
    from (select platform.now() as at) clock`;
}

test('the delay is that of the most overdue delivery, without those of failing receivers', async () => {
  await sql`
    insert into endpoints (id, project_id, url, destination, events, first_failure_at)
    values ('whe_failing', 'prj_1', 'https://a.example', 'a.example:443', '{claim.settled}', platform.now()),
           ('whe_healthy', 'prj_1', 'https://b.example', 'b.example:443', '{claim.settled}', null)`;
  await delivery('whe_failing', '1 hour');
  expect(await overdueSeconds()).toBe(0);
  await delivery('whe_healthy', '-1 hour');
  expect(await overdueSeconds()).toBe(0);
  await delivery('whe_healthy', '10 seconds');
  await delivery('whe_healthy', '20 minutes');
  expect(await overdueSeconds()).toBeGreaterThanOrEqual(20 * 60);
  expect(await overdueSeconds()).toBeLessThan(60 * 60);
});
