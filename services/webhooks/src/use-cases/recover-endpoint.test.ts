import { newId, type Tenant } from '@carecover/domain';
import { connectPostgres, type Sql } from '@carecover/postgres';
import { createTestDatabase, type TestDatabase } from '@carecover/testing/servers';
import { doneOrWaiting, newTenant, testCaller } from '@carecover/testing/services';
import { type EndpointRow, lockEndpointBesideIntake } from '../store/endpoints';
import { storeIncomingEvents } from '../store/incoming-events';
import { countMissed, lockRecovery, RECOVERY_BATCH, recoverBatch } from '../store/recoveries';
import { continueRecovery, recoverEndpoint, recoveryRange, startRecovery } from './recover-endpoint';

let database: TestDatabase;
let sql: Sql;
const SINCE = new Date('2027-01-01T00:00:00Z');
const UNTIL = new Date('2027-01-02T00:00:00Z');

beforeAll(async () => {
  database = await createTestDatabase({ services: ['webhooks'] });
  sql = connectPostgres(database.url('webhooks'), 3, 'test');
});
beforeEach(() => sql`delete from recoveries`);
afterAll(async () => {
  await sql?.end();
  await database?.drop();
});

/**
 * Inserts an endpoint that was created in January 2026, and events of 1 January 2027; the endpoint is not subscribed to every third of
 * them.
 */
async function missed(events: number): Promise<{ readonly tenant: Tenant; readonly endpoint: EndpointRow }> {
  const tenant = newTenant();
  const id = newId('whe_');
  const [endpoint] = await sql<EndpointRow[]>`
    insert into endpoints (id, project_id, url, destination, events, created_at)
    values (${id}, ${tenant}, 'https://a.example', 'a.example:443', '{claim.settled}', '2026-01-01T00:00:00Z') returning *`;
  if (endpoint === undefined) throw new Error('the endpoint was not returned');
  // Ten events each have the same created_at, so that a batch ends between events with the same created_at.
  await sql`
    insert into events (id, project_id, resource_id, type, payload, created_at)
    select ${`evt_${id}_`} || n, ${tenant}, 'clm_1', case when n % 3 = 0 then 'claim.denied' else 'claim.settled' end, '{}',
           ${SINCE}::timestamptz + n / 10 * interval '1 millisecond'
    from generate_series(1, ${events}::int) as n`;
  return { tenant, endpoint };
}

async function begin(endpoint: EndpointRow): Promise<number> {
  const range = recoveryRange(endpoint, SINCE, UNTIL);
  const missed = await countMissed(sql, endpoint, range);
  return sql.begin((tx) => startRecovery(tx, endpoint, range, missed));
}

async function pending({ id }: EndpointRow): Promise<number> {
  return (await sql`select 1 from deliveries where endpoint_id = ${id} and status = 'pending'`).length;
}

test('a large recovery returns the total number and continues in batches, with each event once', async () => {
  const { endpoint } = await missed(3_600);
  expect(await begin(endpoint)).toBe(2_400);
  expect(await pending(endpoint)).toBeLessThan(RECOVERY_BATCH);
  let batches = 1;
  while (await continueRecovery(sql)) batches++;
  expect(batches).toBe(4);
  expect(await pending(endpoint)).toBe(2_400);
  const rounds = await sql`select distinct round from deliveries where endpoint_id = ${endpoint.id}`;
  expect(rounds).toEqual([{ round: 1 }]);
  expect(await sql`select 1 from recoveries`).toHaveLength(0);
});

test('an interrupted batch changes nothing, and the next one repeats it', async () => {
  const { endpoint } = await missed(2_500);
  await begin(endpoint);
  const before = await pending(endpoint);
  const failing = sql.begin(async (tx) => {
    const inside = Object.assign(tx, { begin: (work: (inner: typeof tx) => unknown) => work(tx) });
    await continueRecovery(inside as unknown as Sql);
    throw new Error('fails before its commit');
  });
  await expect(failing).rejects.toThrow('fails before its commit');
  expect(await pending(endpoint)).toBe(before);
  while (await continueRecovery(sql));
  expect(await pending(endpoint)).toBe(1_667);
});

test('two concurrent sweeps continue two recoveries', async () => {
  const [first, second] = [await missed(2_500), await missed(2_500)];
  await begin(first.endpoint);
  await begin(second.endpoint);
  const sweep = async () => {
    while (await continueRecovery(sql));
  };
  await Promise.all([sweep(), sweep()]);
  await sweep();
  expect([await pending(first.endpoint), await pending(second.endpoint)]).toEqual([1_667, 1_667]);
});

test('any number of recoveries of one endpoint have one row; what is requested during a recovery follows it', async () => {
  const { endpoint } = await missed(2_500);
  for (let requests = 0; requests < 20; requests++) await begin(endpoint);
  expect(await sql`select 1 from recoveries`).toHaveLength(1);
  await continueRecovery(sql);
  await sql`update deliveries set status = 'failed', next_attempt_at = null where endpoint_id = ${endpoint.id}`;
  await begin(endpoint);
  let batches = 0;
  while (await continueRecovery(sql)) batches++;
  // The last batch of the first range; then two batches of the following one, whose first thousand events the requests have recovered.
  expect(batches).toBe(3);
  expect(await pending(endpoint)).toBe(1_667);
  expect(await sql`select 1 from recoveries`).toHaveLength(0);
});

test('a project with many recoveries delays those of others by few batches', async () => {
  const many = await missed(2_500);
  for (let number = 0; number < 200; number++) {
    const id = newId('whe_');
    await sql`
      insert into endpoints (id, project_id, url, destination, events, created_at)
      values (${id}, ${many.tenant}, 'https://a.example', 'a.example:443', '{claim.settled}', '2026-01-01T00:00:00Z')`;
    await sql`insert into recoveries (endpoint_id, after_at, after_id, until) values (${id}, ${SINCE}, '', ${UNTIL})`;
  }
  const other = await missed(1_100);
  await begin(other.endpoint);
  let batches = 0;
  while ((await pending(other.endpoint)) < 734 && batches < 60) {
    await continueRecovery(sql);
    batches++;
  }
  expect(batches).toBeLessThan(60);
});

test('a recovery ends when its endpoint is disabled', async () => {
  const { endpoint } = await missed(2_500);
  await begin(endpoint);
  await sql`
    update endpoints set status = 'disabled', disabled_at = platform.now(), disabled_reason = 'requested'
    where id = ${endpoint.id}`;
  const before = await pending(endpoint);
  while (await continueRecovery(sql));
  expect(await pending(endpoint)).toBe(before);
});

test('no batch changes delivered events', async () => {
  const { tenant, endpoint } = await missed(2_400);
  await sql`
    insert into deliveries (id, endpoint_id, project_id, type, created_at, status)
    select id, ${endpoint.id}, project_id, type, created_at, 'delivered' from events
    where project_id = ${tenant} and type = 'claim.settled'
      and id not in (select id from events where project_id = ${tenant} and type = 'claim.settled' order by created_at desc limit 7)`;
  expect(await begin(endpoint)).toBe(7);
  while (await continueRecovery(sql));
  expect(await pending(endpoint)).toBe(7);
});

test('the events of a long period are counted up to a limit', async () => {
  const { endpoint } = await missed(90);
  const range = recoveryRange(endpoint, SINCE, UNTIL);
  expect(await countMissed(sql, endpoint, range)).toBe(60);
  expect(await countMissed(sql, endpoint, range, 30)).toBe(20);
});

test('a recovery does not lock its endpoint while it counts the events', async () => {
  const { tenant, endpoint } = await missed(3);
  let recovering: Promise<unknown> = Promise.resolve();
  await sql.begin(async (tx) => {
    await tx`lock table deliveries in access exclusive mode`;
    recovering = recoverEndpoint(sql, {
      ...{ operation: 'recoverWebhookEndpoint', caller: testCaller(tenant), idempotencyKey: null },
      ...{ params: { webhook_endpoint_id: endpoint.id }, query: {}, headers: {}, replayStatus: 202 },
      ...{ body: { since: SINCE.toISOString(), until: UNTIL.toISOString() }, rawBody: Buffer.alloc(0) },
      requestHash: Buffer.alloc(0),
    });
    await doneOrWaiting(sql, recovering);
    expect(await sql`select 1 from endpoints where id = ${endpoint.id} for update nowait`).toHaveLength(1);
  });
  await recovering;
  expect(await pending(endpoint)).toBe(2);
});

test('the intake of events does not wait for a recovery', async () => {
  const { tenant, endpoint } = await missed(2_500);
  const store = () =>
    storeIncomingEvents(sql, [
      {
        ...{ id: newId('evt_'), projectId: tenant, resourceId: 'clm_1', type: 'claim.settled' },
        ...{ payload: '{}', createdAt: new Date(), traceparent: null },
      },
    ]);
  await sql.begin(async (tx) => {
    const locked = await lockEndpointBesideIntake(tx, testCaller(tenant), endpoint.id);
    await startRecovery(tx, locked, recoveryRange(locked, SINCE, UNTIL), 0);
    expect(await store()).toEqual([endpoint.id]);
  });
  await sql.begin(async (tx) => {
    const stored = await lockRecovery(tx);
    if (stored?.endpoint === undefined) throw new Error('the recovery was not found');
    await recoverBatch(tx, stored.endpoint, stored.remaining);
    expect(await store()).toEqual([endpoint.id]);
  });
});
