import type { EventType } from '@carecover/contract';
import { newId, type Tenant } from '@carecover/domain';
import { connectPostgres, type Sql, type Tx } from '@carecover/postgres';
import { createTestDatabase, type TestDatabase } from '@carecover/testing/servers';
import { newTenant, testCaller } from '@carecover/testing/services';
import { withIndexPlansOnly } from './build';
import { recordAttempts } from './delivery/record-attempts';
import { deliveriesOfResource, listDeliveries, startNewRound } from './store/deliveries';
import {
  countPendingDeliveries,
  hasPendingDeliveries,
  leaseDueDeliveries,
  oldestOverdueSeconds,
} from './store/due-deliveries';
import { failEndedDeliveries } from './store/ended-periods';
import {
  changeEndpoint,
  disableEndpoint,
  type EndpointRow,
  enableEndpoint,
  lockEndpoint,
  lockEndpointBesideIntake,
  readEndpoint,
} from './store/endpoints';
import { storeIncomingEvents } from './store/incoming-events';
import { countMissed } from './store/recoveries';
import { explainDeliveries } from './use-cases/explain-deliveries';
import { continueRecovery, recoveryRange, startRecovery } from './use-cases/recover-endpoint';

let database: TestDatabase;
let sql: Sql;

beforeAll(async () => {
  database = await createTestDatabase({ services: ['webhooks'] });
  sql = connectPostgres(withIndexPlansOnly(database.url('webhooks')), 6, 'test');
});
afterEach(async () => {
  await sql`delete from recoveries`;
  while (await failEndedDeliveries(sql));
  await sql`update deliveries set status = 'failed', next_attempt_at = null, leased_until = null where status = 'pending'`;
});
afterAll(async () => {
  await sql?.end();
  await database?.drop();
});

interface Target {
  readonly tenant: Tenant;
  readonly id: string;
}

/** Inserts an active endpoint for two event types. */
async function insertEndpoint(): Promise<Target> {
  const [tenant, id] = [newTenant(), newId('whe_')];
  await sql`
    insert into endpoints (id, project_id, url, destination, events, created_at)
    values (${id}, ${tenant}, 'https://a.example', 'a.example:443', '{claim.settled,claim.denied}', '2026-01-01T00:00:00Z')`;
  return { tenant, id };
}

/** Stores events about one resource as the intake does, each with a delivery to every subscribed endpoint. Returns their IDs, sorted. */
async function storeEvents({ tenant }: Target, count: number, type: EventType = 'claim.settled') {
  const [clock] = await sql<{ now: Date }[]>`select platform.now() as now`;
  const events = Array.from({ length: count }, () => ({
    ...{ id: newId('evt_'), projectId: tenant, resourceId: `clm_${tenant}`, type, payload: '{}' },
    ...{ createdAt: clock?.now ?? new Date(), traceparent: null },
  }));
  await storeIncomingEvents(sql, events);
  return events.map(({ id }) => id).sort();
}

const lockAndChange = ({ tenant, id }: Target, change: (tx: Tx, endpoint: EndpointRow) => Promise<void>) =>
  sql.begin(async (tx) => {
    await change(tx, await lockEndpoint(tx, testCaller(tenant), id));
  });
const disable = (target: Target) =>
  lockAndChange(target, (tx) => disableEndpoint(tx, target.tenant, target.id, 'requested'));
const enable = (target: Target) =>
  lockAndChange(target, (tx) => enableEndpoint(tx, target.tenant, target.id));
const subscribe = (target: Target, events: readonly EventType[]) =>
  lockAndChange(target, (tx, endpoint) => changeEndpoint(tx, endpoint, { url: endpoint.url, events }));

async function sweep(): Promise<void> {
  while (await failEndedDeliveries(sql));
}

/** Leases the due deliveries of all endpoints. Returns the IDs of those of the target. */
async function lease({ id }: Target): Promise<string[]> {
  const { deliveries } = await leaseDueDeliveries(sql, null, {
    ...{ usedByEndpoint: new Map(), perEndpoint: 1_000, perFailingEndpoint: 1_000 },
    ...{ usedByDestination: new Map(), perDestination: 1_000, free: 1_000 },
  });
  return deliveries.flatMap(({ endpointId, eventId }) => (endpointId === id ? [eventId] : []));
}

async function countByStatus({ id }: Target): Promise<Record<string, number>> {
  const rows = await sql<{ status: string; count: number }[]>`
    select status, count(*) as count from deliveries where endpoint_id = ${id} group by status`;
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

/** The versions of the rows of the target's deliveries. */
const versionsOf = ({ id }: Target) =>
  sql`select id, xmin::text, ctid::text from deliveries where endpoint_id = ${id} order by id`;

async function listed(target: Target, status?: 'pending' | 'failed') {
  const caller = testCaller(target.tenant);
  const endpoint = await readEndpoint(sql, caller, target.id);
  const { data } = await listDeliveries(sql, caller, endpoint, status === undefined ? {} : { status });
  return data.map((row) => [row.id, row.status, row.next_attempt_at]);
}

test('disabling an endpoint writes no delivery, whether a client or a response disables it', async () => {
  const [requested, gone] = [await insertEndpoint(), await insertEndpoint()];
  await storeEvents(requested, 3);
  await storeEvents(gone, 3);
  const attempted = newId('evt_');
  const before = [await versionsOf(requested), await versionsOf(gone)];
  await disable(requested);
  await recordAttempts(sql, [
    {
      ...{
        endpointId: gone.id,
        eventId: attempted,
        url: 'https://a.example',
        startedAt: new Date(),
        simulatedAt: null,
      },
      ...{ failing: false, round: 1, roundAttempts: 0, retryDelayMs: 5_000 },
      outcome: {
        accepted: false,
        responseStatus: 410,
        durationMs: 1,
        error: null,
        excerpt: null,
        requestedDelayMs: null,
      },
    },
  ]);
  expect((await readEndpoint(sql, testCaller(gone.tenant), gone.id)).disabled_reason).toBe('gone');
  expect([await versionsOf(requested), await versionsOf(gone)]).toEqual(before);
});

test('deliveries that were pending when their endpoint was disabled are failed for every reader, before and after the sweep', async () => {
  const target = await insertEndpoint();
  const [first = '', second = ''] = await storeEvents(target, 2);
  await sql`update deliveries set next_attempt_at = next_attempt_at - interval '1 hour' where endpoint_id = ${target.id}`;
  await disable(target);
  const failed = [second, first].map((id) => [id, 'failed', null]);
  for (const isSwept of [false, true]) {
    if (isSwept) await sweep();
    expect(await countByStatus(target)).toEqual(isSwept ? { failed: 2 } : { pending: 2 });
    expect(await listed(target)).toEqual(failed);
    expect(await listed(target, 'failed')).toEqual(failed);
    expect(await listed(target, 'pending')).toEqual([]);
    const ofResource = await deliveriesOfResource(sql, target.tenant, `clm_${target.tenant}`, 10);
    expect(ofResource.map(({ id, status, next_attempt_at }) => [id, status, next_attempt_at])).toEqual(
      failed,
    );
    expect((await explainDeliveries(sql, target.tenant, first))?.endpoints).toMatchObject([
      {
        status: 'failed',
        reason: expect.stringContaining('the endpoint was disabled at its owner’s request'),
      },
    ]);
    expect(await countPendingDeliveries(sql)).toBe(0);
    expect(await hasPendingDeliveries(sql)).toBe(false);
    expect(await oldestOverdueSeconds(sql)).toBe(0);
  }
});

test('an endpoint that is enabled again gets no delivery from before, and gets the later ones after the sweep', async () => {
  const target = await insertEndpoint();
  await storeEvents(target, 3);
  await disable(target);
  await enable(target);
  const later = await storeEvents(target, 2);
  expect(await listed(target, 'pending')).toHaveLength(2);
  expect(await countPendingDeliveries(sql)).toBe(2);
  expect(await lease(target)).toEqual([]);
  await sweep();
  expect(await countByStatus(target)).toEqual({ failed: 3, pending: 2 });
  expect((await lease(target)).sort()).toEqual([...later].sort());
});

test('an endpoint that is disabled twice gets no delivery from before either time', async () => {
  const target = await insertEndpoint();
  await storeEvents(target, 2);
  await disable(target);
  await enable(target);
  await storeEvents(target, 2);
  await disable(target);
  await enable(target);
  await sweep();
  expect(await countByStatus(target)).toEqual({ failed: 4 });
});

test('a removed event type ends its deliveries alone, also if it is added again', async () => {
  const target = await insertEndpoint();
  const kept = await storeEvents(target, 2, 'claim.settled');
  const removed = await storeEvents(target, 2, 'claim.denied');
  const before = await versionsOf(target);
  await subscribe(target, ['claim.settled']);
  await subscribe(target, ['claim.settled', 'claim.denied']);
  expect(await versionsOf(target)).toEqual(before);
  const later = await storeEvents(target, 1, 'claim.denied');
  expect((await listed(target, 'failed')).map(([id]) => id)).toEqual([...removed].reverse());
  await sweep();
  expect((await lease(target)).sort()).toEqual([...kept, ...later].sort());
});

test('a redelivery of an ended delivery is attempted, and the sweep does not end it', async () => {
  const target = await insertEndpoint();
  const [again = ''] = await storeEvents(target, 2);
  await disable(target);
  await enable(target);
  await lockAndChange(target, async (tx, endpoint) => {
    await startNewRound(tx, endpoint, again);
  });
  expect((await listed(target, 'pending')).map(([id]) => id)).toEqual([again]);
  await sweep();
  expect(await lease(target)).toEqual([again]);
});

test('a failed attempt that ends after its delivery starts no retry, and a successful one delivers', async () => {
  const target = await insertEndpoint();
  const ids = await storeEvents(target, 2);
  expect(await lease(target)).toHaveLength(2);
  await disable(target);
  await enable(target);
  await recordAttempts(
    sql,
    ids.map((eventId, index) => ({
      ...{
        endpointId: target.id,
        eventId,
        url: 'https://a.example',
        startedAt: new Date(),
        simulatedAt: null,
      },
      ...{ failing: false, round: 1, roundAttempts: 0, retryDelayMs: 0 },
      outcome: {
        ...{ accepted: index === 0, responseStatus: index === 0 ? 200 : 500 },
        ...{ durationMs: 1, error: null, excerpt: null, requestedDelayMs: null },
      },
    })),
  );
  await sweep();
  expect(await countByStatus(target)).toEqual({ delivered: 1, failed: 1 });
});

test('a sweep sets ended deliveries to failed in batches', async () => {
  const target = await insertEndpoint();
  await storeEvents(target, 25);
  await disable(target);
  const failed: (number | undefined)[] = [];
  while (await failEndedDeliveries(sql, null, 10)) failed.push((await countByStatus(target)).failed);
  expect(failed).toEqual([10, 20, 25]);
  expect(await sql`select 1 from ended_periods`).toHaveLength(0);
});

test('a batch reads no more deliveries than its size, also if they did not end', async () => {
  const target = await insertEndpoint();
  await storeEvents(target, 25, 'claim.settled');
  await storeEvents(target, 1, 'claim.denied');
  await subscribe(target, ['claim.settled']);
  const failed: (number | undefined)[] = [];
  while (await failEndedDeliveries(sql, null, 10)) failed.push((await countByStatus(target)).failed);
  expect(failed).toEqual([undefined, undefined, 1]);
});

test('a second sweeper does not wait for the first, and together they process all endpoints', async () => {
  const targets = [await insertEndpoint(), await insertEndpoint()];
  for (const target of targets) {
    await storeEvents(target, 30);
    await disable(target);
  }
  await sql.begin(async (tx) => {
    await tx`select 1 from ended_periods for update`;
    expect(await failEndedDeliveries(sql)).toBe(false);
  });
  const sweeper = async () => {
    while (await failEndedDeliveries(sql, null, 4));
  };
  await Promise.all([sweeper(), sweeper()]);
  await sweeper();
  for (const target of targets) expect(await countByStatus(target)).toEqual({ failed: 30 });
});

test('what a recovery sends again stays pending, while sweepers set the ended deliveries to failed', async () => {
  const target = await insertEndpoint();
  await storeEvents(target, 2_500);
  for (let round = 0; round < 5; round++) {
    await disable(target);
    await enable(target);
    const enabled = await readEndpoint(sql, testCaller(target.tenant), target.id);
    const range = recoveryRange(enabled, enabled.created_at, new Date('2100-01-01T00:00:00Z'));
    expect(await countMissed(sql, enabled, range)).toBe(2_500);
    const sweeper = async () => {
      while (await failEndedDeliveries(sql, null, 100));
    };
    const recover = async () => {
      await sql.begin(async (tx) => {
        const endpoint = await lockEndpointBesideIntake(tx, testCaller(target.tenant), target.id);
        expect(await startRecovery(tx, endpoint, range, 0)).toBe(1_000);
      });
      while (await continueRecovery(sql));
    };
    await Promise.all([sweeper(), recover(), sweeper()]);
    await sweeper();
    expect(await countByStatus(target)).toEqual({ pending: 2_500 });
    expect(await countPendingDeliveries(sql)).toBe(2_500);
  }
});
