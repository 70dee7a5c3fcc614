import { connectPostgres } from '@carecover/postgres';
import { GatewayFixture } from '../testing/gateway-fixture';
import { KeyUses } from './key-uses';
import { findKey, listKeys, rotateKey } from './keys';

let fixture: GatewayFixture;

beforeAll(async () => {
  fixture = await GatewayFixture.start();
});
afterAll(() => fixture.stop());

const lastUse = async (keyId: string) =>
  (await listKeys(fixture.sql, null)).find(({ id }) => id === keyId)?.last_used_at ?? null;

test('the minute of the last use of a key, or of its token, is written at the latest when the gateway stops', async () => {
  const gateway = await fixture.gateway();
  const [used, byToken, unused] = [await fixture.project(), await fixture.project(), await fixture.project()];
  const start = Math.floor(Date.now() / 60_000) * 60_000;
  await gateway.request('/v1/', { key: used.secret_key });
  const { body } = await gateway.request('/v1/tokens', {
    key: byToken.secret_key,
    body: { scopes: ['claims:read'], expires_in: 60 },
  });
  await gateway.request('/v1/', { key: (body as { token: string }).token });
  await gateway.stop();
  for (const { key_id } of [used, byToken]) {
    const at = (await lastUse(key_id))?.getTime() ?? 0;
    expect(at % 60_000).toBe(0);
    expect(at).toBeGreaterThanOrEqual(start);
  }
  expect(await lastUse(unused.key_id)).toBeNull();
  expect(await findKey(fixture.sql, used.secret_key)).toMatchObject({
    last_used_at: await lastUse(used.key_id),
  });
});

test('a later write does not lower the last use, and uses whose write failed are written by the next one', async () => {
  const { key_id } = await fixture.project();
  const minute = (number: number) => new Date(Date.UTC(2027, 2, 1, 10, number));
  const sql = connectPostgres(fixture.database.url('gateway'), 1, 'test');
  const uses = new KeyUses(sql);
  uses.record(key_id, minute(7));
  await fixture.sql`alter table gateway.key_uses rename to other`;
  await expect(uses.write()).rejects.toThrow();
  await fixture.sql`alter table gateway.other rename to key_uses`;
  await uses.write();
  expect(await lastUse(key_id)).toEqual(minute(7));
  uses.record(key_id, minute(5));
  await uses.write();
  expect(await lastUse(key_id)).toEqual(minute(7));
  await sql.end();
});

test('a key is listed with the first characters of its current secret', async () => {
  const { key_id, secret_key } = await fixture.project();
  const prefix = async () => (await listKeys(fixture.sql, null)).find(({ id }) => id === key_id)?.prefix;
  expect(await prefix()).toBe(secret_key.slice(0, 12));
  const rotated = await rotateKey(fixture.sql, 'tests', key_id);
  expect(await prefix()).toBe(rotated.secret_key.slice(0, 12));
});
