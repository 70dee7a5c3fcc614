import { createTestDatabase, type TestDatabase } from '@carecover/local/testing';
import { registerGauges } from './gauges';
import { createLog } from './log';
import { registry } from './metrics';
import { connectPostgres, type Sql } from './postgres';

let database: TestDatabase;
let sql: Sql;

beforeAll(async () => {
  database = await createTestDatabase({ services: ['care'] });
  sql = connectPostgres(database.url('care'), 2, 'gauges');
});

afterAll(async () => {
  await sql.end();
  await database.drop();
});

async function samples(): Promise<Record<string, number>> {
  const lines = (await registry.metrics()).split('\n').filter((line) => line.startsWith('carecover_'));
  return Object.fromEntries(lines.map((line) => [line.split(' ')[0] ?? '', Number(line.split(' ')[1])]));
}

test('the outbox, pending commands and pending reviews are counted', async () => {
  registerGauges('care', sql, [], createLog('care', 'silent'));
  expect(await samples()).toMatchObject({
    'carecover_outbox_events{service="care"}': 0,
    'carecover_outbox_oldest_age_seconds{service="care"}': 0,
    'carecover_commands_pending{service="care"}': 0,
    'carecover_commands_oldest_pending_age_seconds{service="care"}': 0,
    'carecover_workflow_reviews_pending{service="care"}': 0,
  });
  await sql`insert into outbox (event_id, project_id, resource_id, type, payload, created_at)
    values ('evt_1', 'prj_1', 'clm_1', 'claim.submitted', '{}', platform.now() - interval '90 seconds')`;
  await sql`insert into commands (id, project_id, operation, idempotency_key, request_hash, resource_id, caller, created_at)
    values ('cmd_1', 'prj_1', 'createBooking', 'key-0001', 'x', 'bkg_1', '{}', platform.now() - interval '30 seconds')`;
  await sql`insert into workflow_reviews (resource_id, project_id, environment) values ('bkg_1', 'prj_1', 'sandbox')`;
  const found = await samples();
  expect(found).toMatchObject({
    'carecover_outbox_events{service="care"}': 1,
    'carecover_workflow_reviews_pending{service="care"}': 1,
    'carecover_commands_pending{service="care"}': 1,
  });
  expect(found['carecover_outbox_oldest_age_seconds{service="care"}']).toBeGreaterThanOrEqual(90);
  expect(found['carecover_commands_oldest_pending_age_seconds{service="care"}']).toBeGreaterThanOrEqual(30);
  expect(found['carecover_database_connections_busy{service="care"}']).toBeGreaterThanOrEqual(1);
});

test('what is on the stream and not taken off it is told by number and age', async () => {
  registerGauges('care', sql, [], createLog('care', 'silent'));
  expect(await samples()).toMatchObject({
    'carecover_stream_events{service="care"}': 0,
    'carecover_stream_oldest_age_seconds{service="care"}': 0,
  });
  await sql`insert into published (seq, event_id, project_id, resource_id, type, payload, created_at, stream, stream_seq)
    select n, 'evt_' || n, 'prj_1', 'clm_1', 'claim.submitted', '{}', platform.now() - (3 - n) * interval '60 seconds', 'now', n
    from generate_series(1, 2) n`;
  const found = await samples();
  expect(found['carecover_stream_events{service="care"}']).toBe(2);
  expect(found['carecover_stream_oldest_age_seconds{service="care"}']).toBeGreaterThanOrEqual(120);
});

test('a gauge that can not be read is absent, and the others are there', async () => {
  const broken = {
    name: 'carecover_broken',
    help: 'Reads a table that is not there',
    read: async () => Number((await sql`select value from nowhere`).length),
  };
  registerGauges('care', sql, [broken], createLog('care', 'silent'));
  const found = await samples();
  expect(Object.keys(found).filter((name) => name.startsWith('carecover_broken'))).toEqual([]);
  expect(found['carecover_outbox_events{service="care"}']).toBe(1);
});
