import { createLog, metricsRegistry } from '@carecover/telemetry';
import { createTestDatabase, type TestDatabase } from '@carecover/testing/servers';
import { connectPostgres, type Sql } from './connect';
import { registerGauges, registerPoolGauges } from './gauges';

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
  const lines = (await metricsRegistry.metrics()).split('\n').filter((line) => line.startsWith('carecover_'));
  return Object.fromEntries(lines.map((line) => [line.split(' ')[0] ?? '', Number(line.split(' ')[1])]));
}

test('the outbox, pending commands and pending signals are counted', async () => {
  registerGauges('care', sql, [], createLog('care', 'silent'));
  expect(await samples()).toMatchObject({
    'carecover_outbox_events{service="care"}': 0,
    'carecover_outbox_oldest_age_seconds{service="care"}': 0,
    'carecover_commands_pending{service="care"}': 0,
    'carecover_commands_oldest_pending_age_seconds{service="care"}': 0,
    'carecover_workflow_signals_pending{service="care"}': 0,
  });
  await sql`insert into outbox (event_id, project_id, resource_id, type, payload, created_at)
    values ('evt_1', 'prj_1', 'clm_1', 'claim.submitted', '{}', platform.now() - interval '90 seconds')`;
  await sql`insert into commands (id, project_id, operation, key_digest, request_hash, resource_id)
    values ('cmd_1', 'prj_1', 'createBooking', gen_random_uuid(), 'x', 'bkg_1')`;
  await sql`insert into pending_commands (id, workflow_id, leased_until, caller, created_at)
    values ('cmd_1', 'bkg_1', clock_timestamp() - interval '5 seconds', '{}', platform.now() - interval '30 seconds')`;
  await sql`insert into workflow_signals (resource_id, project_id, environment, changes, enqueued_at)
    values ('bkg_1', 'prj_1', 'sandbox', '[]', clock_timestamp() - interval '20 seconds')`;
  const found = await samples();
  expect(found).toMatchObject({
    'carecover_outbox_events{service="care"}': 1,
    'carecover_workflow_signals_pending{service="care"}': 1,
    'carecover_commands_pending{service="care"}': 1,
    'carecover_commands_interrupted{service="care"}': 1,
  });
  expect(found['carecover_workflow_signals_oldest_age_seconds{service="care"}']).toBeGreaterThanOrEqual(20);
  expect(found['carecover_outbox_oldest_age_seconds{service="care"}']).toBeGreaterThanOrEqual(90);
  expect(found['carecover_commands_oldest_pending_age_seconds{service="care"}']).toBeGreaterThanOrEqual(30);
  expect(found['carecover_database_connections_busy{service="care"}']).toBeGreaterThanOrEqual(1);
});

test('the number and age of events on the stream that the webhooks service has not stored', async () => {
  registerGauges('care', sql, [], createLog('care', 'silent'));
  expect(await samples()).toMatchObject({
    'carecover_stream_events{service="care"}': 0,
    'carecover_stream_oldest_age_seconds{service="care"}': 0,
  });
  await sql`insert into published_events (seq, event_id, project_id, resource_id, type, payload, created_at, stream, stream_seq)
    select n, 'evt_' || n, 'prj_1', 'clm_1', 'claim.submitted', '{}', platform.now() - (3 - n) * interval '60 seconds', 'now', n
    from generate_series(1, 2) n`;
  const found = await samples();
  expect(found['carecover_stream_events{service="care"}']).toBe(2);
  expect(found['carecover_stream_oldest_age_seconds{service="care"}']).toBeGreaterThanOrEqual(120);
});

test('a gauge that cannot be read is absent, and the others are present', async () => {
  const broken = {
    name: 'carecover_broken',
    help: 'Reads a table that does not exist',
    read: async () => Number((await sql`select value from nowhere`).length),
  };
  registerGauges('care', sql, [broken], createLog('care', 'silent'));
  const found = await samples();
  expect(Object.keys(found).filter((name) => name.startsWith('carecover_broken'))).toEqual([]);
  expect(found['carecover_outbox_events{service="care"}']).toBe(1);
});

describe('of the connection pool', () => {
  const SIZE = 3;
  let pooled: Sql;

  beforeAll(() => {
    pooled = connectPostgres(database.url('care'), SIZE, 'pool');
    registerPoolGauges('care', pooled);
  });

  afterAll(() => pooled.end());

  /**
   * Returns the values of the connection pool's gauges. The key of a value is the gauge's label `state`, or the last part of the metric's
   * name if the gauge has no such label.
   */
  async function pool(): Promise<Record<string, number>> {
    const lines = (await metricsRegistry.metrics())
      .split('\n')
      .filter((line) => /^carecover_database_pool/.test(line));
    return Object.fromEntries(
      lines.map((line) => [
        (/state="(\w+)"/.exec(line) ?? /pool_(\w+)/.exec(line))?.[1] ?? '',
        Number(line.split(' ').at(-1)),
      ]),
    );
  }

  test('the gauges count used, idle and waited-for connections at every moment', async () => {
    expect(await pool()).toEqual({ size: SIZE, busy: 0, idle: 0, waiting: 0 });
    let finish: () => void = () => undefined;
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const started: (() => void)[] = [];
    const all = Promise.all(
      Array.from({ length: SIZE }, () => new Promise<void>((resolve) => started.push(resolve))),
    );
    const transactions = Array.from({ length: SIZE }, (_, index) =>
      pooled.begin(async (tx) => {
        await tx`select 1`;
        started[index]?.();
        await finished;
      }),
    );
    await all;
    expect(await pool()).toMatchObject({ busy: SIZE, idle: 0, waiting: 0 });
    const select = async () => pooled`select 2`;
    const waiting = [select(), pooled.begin((tx) => tx`select 3`)];
    await new Promise((resolve) => setImmediate(resolve));
    expect(await pool()).toMatchObject({ busy: SIZE, waiting: 2 });
    finish();
    await Promise.all([...transactions, ...waiting]);
    expect(await pool()).toMatchObject({ busy: 0, idle: SIZE, waiting: 0 });
  });
});
