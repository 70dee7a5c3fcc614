import { connectPostgres, type Sql } from '@carecover/postgres';
import { createTestDatabase, type TestDatabase } from '@carecover/testing/servers';
import { costOfPlans, newTenant, type SentStatement } from '@carecover/testing/services';
import { eventsOfResource } from './events';

const ROWS = 10_000;
/** The number of successive events about one resource. */
const EVENTS_OF_RESOURCE = 5;

let database: TestDatabase;
let sql: Sql;
let sent: SentStatement[] = [];
const tenant = newTenant();

beforeAll(async () => {
  database = await createTestDatabase({ services: ['webhooks'] });
  sql = connectPostgres(database.url('webhooks'), 1, 'events', {
    listener: (text, values) => sent.push({ text, values }),
  });
  const admin = connectPostgres(database.adminUrl, 1, 'events');
  await admin`
    insert into webhooks.events (id, project_id, resource_id, type, payload, created_at)
    select 'evt_' || lpad(n::text, 12, '0'), ${tenant}, 'clm_' || n / ${EVENTS_OF_RESOURCE}, 'claim.settled', '{}', now()
    from generate_series(0, ${ROWS - 1}) n`;
  await admin`analyze webhooks.events`;
  await admin.end();
});
afterAll(async () => {
  await sql?.end();
  await database?.drop();
});

test('the events of a resource are read by an index, oldest first, also with a generic plan', async () => {
  sent = [];
  const ids = await eventsOfResource(sql, tenant, 'clm_1000');
  const expected = [...Array(EVENTS_OF_RESOURCE).keys()].map(
    (n) => `evt_${String(5_000 + n).padStart(12, '0')}`,
  );
  expect(ids).toEqual(expected);
  expect(await eventsOfResource(sql, newTenant(), 'clm_1000')).toEqual([]);
  for (const statement of sent) {
    const { pages, discarded } = await costOfPlans(database.url('webhooks'), statement);
    expect(pages).toBeLessThan(50);
    expect(discarded).toBeLessThan(10);
  }
});
