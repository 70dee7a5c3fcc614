import { randomBytes } from 'node:crypto';
import { eventually } from '@carecover/local/testing';
import { createLog } from '@carecover/platform';
import { newTenant } from '@carecover/platform/testing';
import { DestinationSlots } from './delivery/destination-slots';
import { Sender } from './delivery/sender';
import { Keyring } from './signing/keyring';
import { newSigningSecret } from './signing/signature';
import { deleteOldEvents } from './store/events';
import { replaceSecret, validSecretsOf } from './store/signing-secrets';
import { webhooksSweeps } from './sweeps';
import { type Receiver, respondWith, startReceiver } from './testing/receiver';
import { startTestWebhooks, type TestWebhooks } from './testing/test-webhooks';

const DAY_MS = 24 * 3_600_000;
const [first, second] = [randomBytes(32), randomBytes(32)];
const sender = new Sender({ policy: { allowLoopback: true } });

let webhooks: TestWebhooks;
let receiver: Receiver;

beforeAll(async () => {
  webhooks = await startTestWebhooks({ keys: `k1:${first.toString('base64')}` });
  receiver = await startReceiver();
});
afterAll(async () => {
  await sender.close();
  await receiver?.stop();
  await webhooks?.stop();
});

/** Runs every sweep once. */
async function sweep(keyring: Keyring): Promise<void> {
  const tests = { sql: webhooks.sql, keyring, sender, slots: new DestinationSlots() };
  for (const { run } of webhooksSweeps(tests, 30, createLog('test', 'silent'))) await run();
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
    update deliveries set next_attempt_at = next_attempt_at + interval '99 days', due_at = due_at + interval '99 days'
    where status = 'pending'`;
  const ring = new Keyring(new Map([['k1', first]]));
  await webhooks.database.setClockOffset(29 * DAY_MS);
  await sweep(ring);
  expect(await webhooks.sql`select id from events order by id`).toEqual([{ id: old }, { id: waiting }]);
  await webhooks.database.setClockOffset(31 * DAY_MS);
  await sweep(ring);
  expect(await webhooks.sql`select id from events`).toEqual([{ id: waiting }]);
  expect(await webhooks.sql`select 1 from attempts where event_id = ${old}`).toHaveLength(0);
  expect(await webhooks.sql`select 1 from deliveries where id = ${old}`).toHaveLength(0);
  expect(await webhooks.sql`select 1 from commands where resource_id = ${old}`).toHaveLength(0);
  await webhooks.database.setClockOffset(0);
});

test('old events are deleted in batches, one statement each', async () => {
  const tenant = newTenant();
  await webhooks.sql`
    insert into events (id, project_id, resource_id, type, payload, created_at, received_at)
    select 'evt_batch_' || n, ${tenant}, 'clm_1', 'claim.submitted', '{}', at, at
    from generate_series(1, 450) as n cross join (select platform.now() - interval '31 days' as at) as old`;
  const batches: number[] = [];
  do batches.push(await deleteOldEvents(webhooks.sql, 30, 200));
  while (batches.at(-1) === 200);
  expect(batches).toEqual([200, 200, 50]);
  expect(await webhooks.sql`select 1 from events where project_id = ${tenant}`).toHaveLength(0);
});

test('after a rotation of the encryption keys the new key has encrypted all secrets, and they are unchanged', async () => {
  const tenant = newTenant();
  await webhooks.start();
  const { id } = await webhooks.endpoint(tenant, receiver.url);
  await webhooks.halt();
  const ring = new Keyring(new Map([['k1', first]]));
  const secrets = Array.from({ length: 3 }, () => newSigningSecret());
  for (const secret of secrets) await replaceSecret(webhooks.sql, tenant, id, ring.encrypt(secret, id));
  const both = new Keyring(
    new Map([
      ['k2', second],
      ['k1', first],
    ]),
  );
  await sweep(both);
  const alone = new Keyring(new Map([['k2', second]]));
  const decrypted = (await validSecretsOf(webhooks.sql, tenant, id)).map((ciphertext) =>
    alone.decrypt(ciphertext, id),
  );
  expect(decrypted.slice(0, 3)).toEqual([...secrets].reverse());
  expect(await webhooks.sql`select 1 from signing_secrets where key_id <> 'k2'`).toHaveLength(0);
});

test('a replica that has the new key at the last position decrypts what another one re-encrypted with it', async () => {
  const tenant = newTenant();
  await webhooks.start();
  const { id } = await webhooks.endpoint(tenant, receiver.url);
  await webhooks.halt();
  const ring = (...keys: [string, Buffer][]) => new Keyring(new Map(keys));
  const secret = newSigningSecret();
  await replaceSecret(webhooks.sql, tenant, id, ring(['k1', first]).encrypt(secret, id));
  const restarted = ring(['k2', second], ['k1', first]);
  await sweep(restarted);
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
