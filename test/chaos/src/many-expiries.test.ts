/** Many approved pre-authorizations run out at one moment: all expire, each is told once, each reservation is given back once. */

import type { Event } from '@carecover/client';
import { eventually, testSize } from '@carecover/local/testing';
import { eachOf, memoryInWords, SERVICE, useWorld } from '@carecover/test-support';

const MANY = testSize({ ci: 40, soak: 2_000 });
/** Enough to decide them all, unhurried, before the first expires. */
const UNTIL_EXPIRY_MS = testSize({ ci: 15_000, soak: 8 * 60_000 });
const WITHIN_MS = 120_000;

const running = useWorld();

test(
  `${MANY} pre-authorizations with one valid_until expire within two minutes of it, each once`,
  async () => {
    const { world } = running;
    const member = world.unique('member');
    await world.coverage(member, { remaining_sessions: MANY });
    const ids = await eachOf(Array.from({ length: MANY }), 12, async () => {
      const { id } = await world.request(await world.bookFor(member));
      return id;
    });
    const validUntilMs = Date.now() + UNTIL_EXPIRY_MS;
    const approval = world.approval({ valid_until: new Date(validUntilMs).toISOString() });
    await eachOf(ids, 12, (id) => world.client.preauthorizations.decide(id, approval));
    const waiting = memoryInWords(running);
    const exhausted = await world.check(member, world.inDays(300));
    expect(exhausted).toMatchObject({ remaining_sessions: 0, service: { code: SERVICE } });
    expect(Date.now()).toBeLessThan(validUntilMs);

    const left = async () => {
      const { data } = await world.client.preauthorizations.list({ status: 'approved', limit: 1 });
      return data.length;
    };
    const patienceMs = validUntilMs - Date.now() + WITHIN_MS;
    await eventually('all expired', async () => (await left()) === 0, patienceMs);
    process.stdout.write(
      `the last of ${MANY} expired ${Math.round((Date.now() - validUntilMs) / 100) / 10} s after valid_until\n`,
    );
    process.stdout.write(
      `memory while they waited: ${waiting}\nonce all had expired: ${memoryInWords(running)}\n`,
    );

    const again = await world.check(member, world.inDays(300));
    expect(again.remaining_sessions).toBe(MANY);
    const told = async () => {
      const expired: Event[] = [];
      for await (const event of world.client.events.list({ type: 'preauthorization.expired', limit: 100 }))
        expired.push(event);
      return expired;
    };
    await eventually('every expiry was told', async () => (await told()).length >= MANY);
    const named = (await told()).map(({ data }) => ('id' in data ? data.id : ''));
    expect(named.sort()).toEqual([...ids].sort());
  },
  UNTIL_EXPIRY_MS + WITHIN_MS + 300_000,
);
