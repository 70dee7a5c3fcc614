/** Tests that many approved pre-authorizations with the same valid_until expire: each once, with one event and one released reservation. */

import type { Event } from '@carecover/client';
import { eventually, testSize } from '@carecover/testing/servers';
import { describeMemory, mapConcurrently, SERVICE, useWorld } from '@carecover/testing/stack';

const COUNT = testSize({ ci: 40, soak: 2_000 });
/** Time in milliseconds from the start of the test to valid_until: enough to approve all pre-authorizations before the first one expires. */
const EXPIRES_AFTER_MS = testSize({ ci: 15_000, soak: 8 * 60_000 });
const WITHIN_MS = 120_000;

const running = useWorld();

test(
  `${COUNT} pre-authorizations with the same valid_until expire once each within two minutes after it`,
  async () => {
    const { world } = running;
    const member = world.uniqueReference('member');
    await world.recordCoverage(member, { remaining_sessions: COUNT });
    const ids = await mapConcurrently(Array.from({ length: COUNT }), 12, async () => {
      const { id } = await world.requestPreauthorization(await world.createBooking(member));
      return id;
    });
    const validUntilMs = Date.now() + EXPIRES_AFTER_MS;
    const approval = world.approvalInput({ valid_until: new Date(validUntilMs).toISOString() });
    await mapConcurrently(ids, 12, (id) => world.client.preauthorizations.decide(id, approval));
    const memoryBefore = describeMemory(running);
    const exhausted = await world.createCheck(member, world.daysFromNow(300));
    expect(exhausted).toMatchObject({ remaining_sessions: 0, service: { code: SERVICE } });
    expect(Date.now()).toBeLessThan(validUntilMs);

    const countApproved = async () => {
      const { data } = await world.client.preauthorizations.list({ status: 'approved', limit: 1 });
      return data.length;
    };
    const patienceMs = validUntilMs - Date.now() + WITHIN_MS;
    await eventually(
      'every pre-authorization expired',
      async () => (await countApproved()) === 0,
      patienceMs,
    );
    process.stdout.write(
      `the last of ${COUNT} expired ${Math.round((Date.now() - validUntilMs) / 100) / 10} s after valid_until\n`,
    );
    process.stdout.write(`memory before the expiry: ${memoryBefore}\nafter it: ${describeMemory(running)}\n`);

    const restored = await world.createCheck(member, world.daysFromNow(300));
    expect(restored.remaining_sessions).toBe(COUNT);
    const listExpiryEvents = async () => {
      const expired: Event[] = [];
      for await (const event of world.client.events.list({ type: 'preauthorization.expired', limit: 100 }))
        expired.push(event);
      return expired;
    };
    await eventually('every expiry has its event', async () => (await listExpiryEvents()).length >= COUNT);
    const expiredIds = (await listExpiryEvents()).map(({ data }) => ('id' in data ? data.id : ''));
    expect(expiredIds.sort()).toEqual([...ids].sort());
  },
  EXPIRES_AFTER_MS + WITHIN_MS + 300_000,
);
