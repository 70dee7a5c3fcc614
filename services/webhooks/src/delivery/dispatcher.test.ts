import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { newId, type Tenant } from '@carecover/domain';
import { connectPostgres, type Sql } from '@carecover/postgres';
import { createLog } from '@carecover/telemetry';
import { createTestDatabase, eventually, type TestDatabase } from '@carecover/testing/servers';
import { newTenant } from '@carecover/testing/services';
import { destinationOf } from '../address/endpoint-url';
import { withIndexPlansOnly } from '../build';
import { Keyring } from '../signing/keyring';
import { LEASE_MS } from '../store/due-deliveries';
import { replaceSecret } from '../store/signing-secrets';
import { type Receiver, startReceiver } from '../testing/receiver';
import { DeliveryCapacity } from './capacity';
import { Dispatcher, type DispatcherOptions } from './dispatcher';
import { Sender } from './sender';

/** So long that no second tick starts during a test. */
const NO_TICK_MS = 600_000;

const keyring = new Keyring(new Map([['k1', randomBytes(32)]]));
let database: TestDatabase;
let sql: Sql;
let admin: Sql;
let receiver: Receiver;
const running: Dispatcher[] = [];

beforeAll(async () => {
  database = await createTestDatabase({ services: ['webhooks'] });
  sql = connectPostgres(withIndexPlansOnly(database.url('webhooks')), 6, 'test');
  admin = connectPostgres(database.adminUrl, 2, 'test');
});
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((dispatcher) => dispatcher.stop()));
  await receiver?.stop();
  await database.setClockOffset(0);
  await sql`update deliveries set status = 'failed', next_attempt_at = null, leased_until = null where status = 'pending'`;
});
afterAll(async () => {
  await admin?.end();
  await sql?.end();
  await database?.drop();
});

function newDispatcher(
  times: NonNullable<DispatcherOptions['times']>,
  log = createLog('webhooks', 'silent'),
): Dispatcher {
  const dispatcher = new Dispatcher({
    ...{ sql, keyring, times, log },
    ...{ sender: new Sender({ policy: { allowLoopback: true } }), capacity: new DeliveryCapacity() },
  });
  running.push(dispatcher);
  return dispatcher;
}

/** Inserts an active endpoint of the receiver, with `count` due deliveries. */
async function insertDue(count: number): Promise<{ id: string; tenant: Tenant }> {
  const [tenant, id] = [newTenant(), newId('whe_')];
  await sql`
    insert into endpoints (id, project_id, url, destination, events)
    values (${id}, ${tenant}, ${receiver.url}, ${destinationOf(receiver.url)}, '{claim.settled}')`;
  await replaceSecret(sql, tenant, id, keyring.encrypt(`whsec_${randomBytes(24).toString('base64')}`, id));
  await insertDeliveries(tenant, id, count);
  return { id, tenant };
}

/** Inserts events, each with a due delivery to the endpoint. */
async function insertDeliveries(tenant: Tenant, id: string, count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    const eventId = newId('evt_');
    await sql`
      insert into events (id, project_id, resource_id, type, payload, created_at)
      values (${eventId}, ${tenant}, 'clm_1', 'claim.settled', ${JSON.stringify({ id: eventId })}, platform.now())`;
    await sql`
      insert into deliveries (id, endpoint_id, project_id, type, created_at, next_attempt_at)
      values (${eventId}, ${id}, ${tenant}, 'claim.settled', platform.now(), platform.now())`;
  }
}

/** Runs `work` while a query for due deliveries waits for a lock, after `start` has started the query. */
async function whileQueryWaits(start: () => void, work: () => void): Promise<void> {
  await admin.begin(async (tx) => {
    await tx`lock table webhooks.endpoints in access exclusive mode`;
    start();
    await eventually('the query waits', async () => {
      const waiting = await admin`
        select 1 from pg_locks where not granted and relation = 'webhooks.endpoints'::regclass`;
      return waiting.length > 0;
    });
    work();
  });
}

test('deliveries of an endpoint that is signalled during the query that fills it follow without a tick', async () => {
  const { id } = await insertDue(24);
  const release = receiver.hold();
  const dispatcher = newDispatcher({ tickMs: NO_TICK_MS, idleTickMs: NO_TICK_MS });
  await whileQueryWaits(
    () => dispatcher.start(),
    () => dispatcher.signalDue([id]),
  );
  await receiver.untilReceived(8);
  // The query of the signal finds no capacity.
  await sleep(300);
  release();
  await eventually('every delivery is sent', async () => receiver.received.length === 24, 10_000);
});

/** Withdraws the permission to read the ciphertexts of signing secrets. The returned function grants it again. */
async function withdrawSecrets(): Promise<() => Promise<void>> {
  await admin`revoke select on webhooks.signing_secrets from webhooks`;
  await admin`grant select (id, endpoint_id, expires_at) on webhooks.signing_secrets to webhooks`;
  return async () => {
    await admin`grant select on webhooks.signing_secrets to webhooks`;
  };
}

test('deliveries whose secrets could not be read are released and leased by the next query', async () => {
  const { id } = await insertDue(3);
  const grantSecrets = await withdrawSecrets();
  const log = createLog('webhooks', 'silent');
  const warning = new Promise((resolve) => jest.spyOn(log, 'warn').mockImplementationOnce(resolve));
  const dispatcher = newDispatcher({ tickMs: NO_TICK_MS, idleTickMs: NO_TICK_MS }, log);
  dispatcher.start();
  await warning;
  await grantSecrets();
  expect(await sql`select 1 from deliveries where endpoint_id = ${id} and leased_until is not null`).toEqual(
    [],
  );
  dispatcher.signalDue([id]);
  await eventually('every delivery is sent', async () => receiver.received.length === 3, 10_000);
});

test('a query that fails is repeated by a tick, also if no delivery was pending before', async () => {
  const log = createLog('webhooks', 'silent');
  const dispatcher = newDispatcher({ tickMs: 50, idleTickMs: NO_TICK_MS }, log);
  dispatcher.start();
  // The first tick finds no pending delivery.
  await sleep(300);
  const { id } = await insertDue(1);
  const grantSecrets = await withdrawSecrets();
  const warnings = jest.spyOn(log, 'warn');
  dispatcher.signalDue([id]);
  await eventually('the queries fail', async () => warnings.mock.calls.length > 2, 10_000);
  await grantSecrets();
  await eventually('the delivery is sent', async () => receiver.received.length === 1, 10_000);
});

test('a delivery whose lease is old is released instead of sent, such as after the process was suspended', async () => {
  const { id } = await insertDue(9);
  const release = receiver.hold();
  newDispatcher({ tickMs: NO_TICK_MS, idleTickMs: NO_TICK_MS }).start();
  await receiver.untilReceived(8);
  const isLeased = () => sql`select 1 from deliveries where endpoint_id = ${id} and leased_until is not null`;
  expect(await isLeased()).toHaveLength(9);
  const { now } = performance;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + LEASE_MS / 2);
  try {
    release();
    await eventually('no delivery is leased', async () => (await isLeased()).length === 0, 10_000);
  } finally {
    clock.mockRestore();
  }
  expect(receiver.received).toHaveLength(8);
  const rows = await sql`select status from deliveries where endpoint_id = ${id} order by status`;
  expect(rows.map(({ status }) => status)).toEqual([...Array(8).fill('delivered'), 'pending']);
});

test('the age of a lease includes the time of the query', async () => {
  const { id } = await insertDue(1);
  const version = async () => {
    const [row] = await sql`select xmin::text, leased_until from deliveries where endpoint_id = ${id}`;
    return row;
  };
  const before = await version();
  const { now } = performance;
  let aheadMs = 0;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + aheadMs);
  try {
    await whileQueryWaits(
      () => newDispatcher({ tickMs: NO_TICK_MS, idleTickMs: NO_TICK_MS }).start(),
      () => {
        aheadMs = LEASE_MS / 2;
      },
    );
    await eventually('the delivery was leased and is released', async () => {
      const after = await version();
      return after?.xmin !== before?.xmin && after?.leased_until === null;
    });
  } finally {
    clock.mockRestore();
  }
  expect(receiver.received).toHaveLength(0);
});

/** Makes PostgreSQL reject every insert of an attempt, as if its disk were full. The returned function permits them again. */
async function rejectRecords(): Promise<() => Promise<void>> {
  await admin`
    create function webhooks.reject_record() returns trigger language plpgsql
      as 'begin raise exception ''the disk is full'' using errcode = ''53100''; end'`;
  await admin`create trigger reject_record before insert on webhooks.attempts execute function webhooks.reject_record()`;
  return async () => {
    await admin`drop trigger reject_record on webhooks.attempts`;
    await admin`drop function webhooks.reject_record()`;
  };
}

test('a delivery whose attempt is not recorded yet is not sent again when its lease expires', async () => {
  const { id } = await insertDue(3);
  const permitRecords = await rejectRecords();
  newDispatcher({ tickMs: 50 }).start();
  await receiver.untilReceived(3);
  await database.setClockOffset(LEASE_MS + 1_000);
  await eventually('the deliveries are leased again', async () => {
    const leased = await sql`
      select 1 from deliveries where endpoint_id = ${id} and leased_until > platform.now()`;
    return leased.length === 3;
  });
  await sleep(200);
  await permitRecords();
  const isDelivered = () => sql`
    select attempts from deliveries where endpoint_id = ${id} and status = 'delivered'`;
  await eventually('the attempts are recorded', async () => (await isDelivered()).length === 3);
  expect((await isDelivered()).map(({ attempts }) => attempts)).toEqual([1, 1, 1]);
  expect(receiver.received).toHaveLength(3);
});

test('deliveries whose attempts are not recorded yet delay no other delivery of their endpoint', async () => {
  const { id, tenant } = await insertDue(10);
  const permitRecords = await rejectRecords();
  const dispatcher = newDispatcher({ tickMs: NO_TICK_MS, idleTickMs: NO_TICK_MS });
  dispatcher.start();
  await receiver.untilReceived(10);
  await database.setClockOffset(LEASE_MS + 1_000);
  await insertDeliveries(tenant, id, 5);
  // The query leases the ten expired ones first, as many as the endpoint can have.
  dispatcher.signalDue([id]);
  await eventually('the others are sent', async () => receiver.received.length === 15, 10_000).finally(
    permitRecords,
  );
});
