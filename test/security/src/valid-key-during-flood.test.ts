/**
 * Attacks the guarantee that requests with a valid key are accepted from an address that sends many requests without a key, even directly
 * after a start of the gateway, when its cache of keys is empty.
 */
import { useWorld } from '@carecover/test-support';
import { request } from 'undici';

const LIMIT = 20;
const FLOOD_REQUESTS = 100;

const running = useWorld();

async function statusOf(key: string | null): Promise<number> {
  const { statusCode, body } = await request(`${running.stack.file.base_url}/`, {
    dispatcher: running.clients.agent,
    headers: key === null ? {} : { authorization: `Bearer ${key}` },
  });
  await body.dump();
  return statusCode;
}

test('after a restart of the gateway during a flood, a valid key is accepted', async () => {
  const { stack } = running;
  await stack.process('gateway').restart({ UNAUTHENTICATED_LIMIT: String(LIMIT) });
  const flood = await Promise.all(
    Array.from({ length: FLOOD_REQUESTS }, (_, index) => statusOf(index % 2 === 0 ? null : 'sk_test_wrong')),
  );
  expect([...new Set(flood)].sort()).toEqual([401, 429]);
  // The requests without a key are sent again in each round, because the limit applies per minute.
  for (let round = 0; round < 3; round++) {
    await Promise.all(Array.from({ length: FLOOD_REQUESTS }, () => statusOf(null)));
    expect(await statusOf(stack.file.secret_key)).toBe(200);
  }
});
