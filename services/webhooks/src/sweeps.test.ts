import { randomBytes } from 'node:crypto';
import type { Tenant } from '@carecover/domain';
import { eventually } from '@carecover/testing/servers';
import { newTenant } from '@carecover/testing/services';
import { Keyring } from './signing/keyring';
import { newSigningSecret } from './signing/signature';
import { deleteOldEvents, insertEvent } from './store/events';
import { deleteExpiredSecrets, replaceSecret, validSecretsOf } from './store/signing-secrets';
import { webhooksCleanups } from './sweeps';
import { type Receiver, respondWith, startReceiver } from './testing/receiver';
import { startTestWebhooks, type TestWebhooks } from './testing/test-webhooks';

const DAY_MS = 24 * 3_600_000;
const [first, second] = [randomBytes(32), randomBytes(32)];

let webhooks: TestWebhooks;
let receiver: Receiver;

beforeAll(async () => {
  webhooks = await startTestWebhooks({ keys: `k1:${first.toString('base64')}` });
  receiver = await startReceiver();
});
afterAll(async () => {
  await receiver?.stop();
  await webhooks?.stop();
});

/** Runs every cleanup once. */
async function cleanUp(keyring: Keyring): Promise<void> {
  for (const { run } of webhooksCleanups({ sql: webhooks.sql, keyring }, 30)) await run();
}

const at = (id: string) => ({ webhook_endpoint_id: id });

test('after thirty days an event is deleted with its attempts and keys; an event with a pending delivery stays', async () => {
  const tenant = newTenant();
  const { id } = await webhooks.endpoint(tenant, receiver.url);
  const old = await webhooks.emit(tenant);
  await receiver.untilReceived(1);
  await webhooks.request(tenant, 'redeliverEvent', { params: { ...at(id), event_id: old } });
  await receiver.untilReceived(2);
  await eventually('it is delivered', async () => {
    const rows = await webhooks.sql`select 1 from deliveries where id = ${old} and status = 'delivered'`;
    return rows.length === 1;
  });
  receiver.behave(respondWith(500));
  const waiting = await webhooks.emit(tenant);
  await receiver.untilReceived(3);
  await webhooks.halt();
  await webhooks.sql`
    update deliveries set next_attempt_at = next_attempt_at + interval '99 days', leased_until = null
    where status = 'pending'`;
  const ring = new Keyring(new Map([['k1', first]]));
  await webhooks.database.setClockOffset(29 * DAY_MS);
  await cleanUp(ring);
  expect(await webhooks.sql`select id from events order by id`).toEqual([{ id: old }, { id: waiting }]);
  await webhooks.database.setClockOffset(31 * DAY_MS);
  await cleanUp(ring);
  expect(await webhooks.sql`select id from events`).toEqual([{ id: waiting }]);
  expect(await webhooks.sql`select 1 from attempts where event_id = ${old}`).toHaveLength(0);
  expect(await webhooks.sql`select 1 from deliveries where id = ${old}`).toHaveLength(0);
  expect(await webhooks.sql`select 1 from commands where resource_id = ${old}`).toHaveLength(0);
  await webhooks.database.setClockOffset(0);
});

/** Starts the service only for the creation of an endpoint, because its sweeps would interfere with a test. Returns the endpoint's ID. */
async function createEndpoint(tenant: Tenant): Promise<string> {
  await webhooks.start();
  const { id } = await webhooks.endpoint(tenant, receiver.url);
  await webhooks.halt();
  return id;
}

/** Inserts old events of a project, each with one delivered delivery to each endpoint. */
const insertOldEvents = (tenant: Tenant, count: number, endpoints: readonly string[] = []) => webhooks.sql`
  with event as (
    insert into events (id, project_id, resource_id, type, payload, created_at, received_at)
    select ${`evt_${tenant}_`} || n, ${tenant}, 'clm_1', 'claim.submitted', '{}', at, at + n * interval '1 second'
    from generate_series(1, ${count}) as n cross join (select platform.now() - interval '31 days' as at) as old
    returning id, project_id, type, created_at)
  insert into deliveries (id, endpoint_id, project_id, type, created_at, status)
  select id, endpoint_id, project_id, type, created_at, 'delivered' from event cross join unnest(${[...endpoints]}::text[]) endpoint_id`;

const eventsOf = (tenant: Tenant) => webhooks.sql`select id from events where project_id = ${tenant}`;

test('old events are deleted in batches, one statement each', async () => {
  const tenant = newTenant();
  await insertOldEvents(tenant, 450);
  const batches: number[] = [];
  do batches.push(await deleteOldEvents(webhooks.sql, 30));
  while (batches.at(-1) !== 0);
  expect(batches).toEqual([200, 200, 50, 0]);
  expect(await eventsOf(tenant)).toHaveLength(0);
});

/** Inserts attempts of an event's deliveries. */
const insertOldAttempts = (eventId: string, count: number) => webhooks.sql`
  with delivery as (update deliveries set attempts = attempts + ${count} where id = ${eventId} returning endpoint_id, id)
  insert into attempts (endpoint_id, event_id, started_at, duration_ms)
  select endpoint_id, id, platform.now(), 1 from delivery cross join generate_series(1, ${count})`;

test('a batch ends with the event that reaches the maximum number of deliveries and attempts', async () => {
  const tenant = newTenant();
  await insertOldEvents(tenant, 5, [await createEndpoint(tenant), await createEndpoint(tenant)]);
  const limits = { events: 10, rows: 3 };
  expect(await deleteOldEvents(webhooks.sql, 30, limits)).toBe(2);
  expect(await deleteOldEvents(webhooks.sql, 30, { ...limits, rows: 1 })).toBe(1);
  expect(await deleteOldEvents(webhooks.sql, 30, limits)).toBe(2);
  expect(await eventsOf(tenant)).toHaveLength(0);
  await insertOldEvents(tenant, 3, [await createEndpoint(tenant)]);
  for (const n of [1, 2, 3]) await insertOldAttempts(`evt_${tenant}_${n}`, 3);
  expect(await deleteOldEvents(webhooks.sql, 30, { ...limits, rows: 5 })).toBe(2);
  expect(await deleteOldEvents(webhooks.sql, 30, { ...limits, rows: 5 })).toBe(1);
});

test('an old event with too many attempts for one statement is deleted after a part of its attempts', async () => {
  const tenant = newTenant();
  await insertOldEvents(tenant, 2, [await createEndpoint(tenant)]);
  await insertOldAttempts(`evt_${tenant}_1`, 10);
  const batches: number[] = [];
  do batches.push(await deleteOldEvents(webhooks.sql, 30, { rows: 4 }));
  while (batches.at(-1) !== 0);
  expect(batches).toEqual([4, 4, 2, 0]);
  expect(await eventsOf(tenant)).toHaveLength(0);
});

test('an old event is kept while a redelivery of it is in progress, and others are deleted without a wait', async () => {
  const tenant = newTenant();
  await insertOldEvents(tenant, 3, [await createEndpoint(tenant)]);
  const redelivered = `evt_${tenant}_2`;
  await webhooks.sql.begin(async (tx) => {
    await tx`
      update deliveries set status = 'pending', next_attempt_at = platform.now() + interval '9 days'
      where id = ${redelivered}`;
    expect(await deleteOldEvents(webhooks.sql, 30)).toBe(2);
  });
  expect(await deleteOldEvents(webhooks.sql, 30)).toBe(0);
  expect(await eventsOf(tenant)).toEqual([{ id: redelivered }]);
});

test('while one replica deletes old events, another one deletes nothing, and new events are stored', async () => {
  const tenant = newTenant();
  await insertOldEvents(tenant, 3);
  await webhooks.sql.begin(async (tx) => {
    expect(await deleteOldEvents(tx, 30, { events: 2, rows: 2 })).toBe(2);
    expect(await deleteOldEvents(webhooks.sql, 30)).toBe(0);
    const event = { id: `evt_${tenant}_new`, resourceId: 'clm_1', type: 'claim.submitted', payload: '{}' };
    await insertEvent(webhooks.sql, tenant, { ...event, createdAt: new Date() });
  });
  expect(await deleteOldEvents(webhooks.sql, 30)).toBe(1);
  expect(await eventsOf(tenant)).toEqual([{ id: `evt_${tenant}_new` }]);
});

test('expired secrets are deleted in batches, and a locked one is left for later', async () => {
  const tenant = newTenant();
  const id = await createEndpoint(tenant);
  await webhooks.sql`
    insert into signing_secrets (endpoint_id, key_id, ciphertext, expires_at)
    select ${id}, 'k1', '', platform.now() - n * interval '1 second' from generate_series(1, 6) n`;
  await webhooks.sql.begin(async (tx) => {
    await tx`select 1 from signing_secrets where endpoint_id = ${id} and expires_at is not null order by expires_at limit 1 for update`;
    expect(await deleteExpiredSecrets(webhooks.sql, 4)).toBe(4);
    expect(await deleteExpiredSecrets(webhooks.sql, 4)).toBe(1);
  });
  expect(await deleteExpiredSecrets(webhooks.sql, 4)).toBe(1);
  expect(await deleteExpiredSecrets(webhooks.sql, 4)).toBe(0);
  expect(await validSecretsOf(webhooks.sql, tenant, id)).toHaveLength(1);
});

test('after a rotation of the encryption keys the new key has encrypted all secrets but those of a lost key, and they are unchanged', async () => {
  const tenant = newTenant();
  // The secret of the lost key has the lowest ID.
  await webhooks.sql`
    update signing_secrets set key_id = 'lost' where endpoint_id = ${await createEndpoint(tenant)}`;
  const id = await createEndpoint(tenant);
  const ring = new Keyring(new Map([['k1', first]]));
  const secrets = Array.from({ length: 3 }, () => newSigningSecret());
  for (const secret of secrets) await replaceSecret(webhooks.sql, tenant, id, ring.encrypt(secret, id));
  const both = new Keyring(
    new Map([
      ['k2', second],
      ['k1', first],
    ]),
  );
  await cleanUp(both);
  const alone = new Keyring(new Map([['k2', second]]));
  const decrypted = (await validSecretsOf(webhooks.sql, tenant, id)).map((ciphertext) =>
    alone.decrypt(ciphertext, id),
  );
  expect(decrypted.slice(0, 3)).toEqual([...secrets].reverse());
  expect(await webhooks.sql`select key_id from signing_secrets where key_id <> 'k2'`).toEqual([
    { key_id: 'lost' },
  ]);
  await webhooks.sql`delete from signing_secrets where key_id = 'lost'`;
});

test('a replica that has the new key at the last position decrypts what another one re-encrypted with it', async () => {
  const tenant = newTenant();
  const id = await createEndpoint(tenant);
  const ring = (...keys: [string, Buffer][]) => new Keyring(new Map(keys));
  const secret = newSigningSecret();
  await replaceSecret(webhooks.sql, tenant, id, ring(['k1', first]).encrypt(secret, id));
  const restarted = ring(['k2', second], ['k1', first]);
  await cleanUp(restarted);
  const [ciphertext] = await validSecretsOf(webhooks.sql, tenant, id);
  if (ciphertext === undefined) throw new Error('the endpoint has no secret');
  expect(ciphertext.keyId).toBe('k2');
  expect(ring(['k1', first], ['k2', second]).decrypt(ciphertext, id)).toBe(secret);
  expect(() => ring(['k1', first]).decrypt(ciphertext, id)).toThrow('k2');
});

test('after many rotations within a day the newest five secrets sign', async () => {
  const tenant = newTenant();
  await webhooks.start();
  const { id } = await webhooks.endpoint(tenant, receiver.url);
  for (let n = 0; n < 7; n++) await webhooks.request(tenant, 'rotateWebhookSecret', { params: at(id) });
  expect(await validSecretsOf(webhooks.sql, tenant, id)).toHaveLength(5);
});

test("the service's role can neither change nor delete a recorded attempt", async () => {
  await expect(webhooks.sql`update attempts set error = null`).rejects.toThrow('permission denied');
  await expect(webhooks.sql`delete from attempts`).rejects.toThrow('permission denied');
  await expect(webhooks.sql`update events set payload = ''`).rejects.toThrow('permission denied');
});
