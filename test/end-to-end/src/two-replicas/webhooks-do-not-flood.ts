/**
 * Attacks the guarantee that a project can't make the webhooks service flood a receiver: the number of endpoints per project is limited,
 * and so is the number of concurrent attempts per destination, in whatever form its address is written.
 */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Carecover, WebhookEndpointId } from '@carecover/client';
import { eventually } from '@carecover/testing/servers';
import { startReceiver } from '@carecover/testing/stack';
import { REPLICAS, running } from './world';

const ENDPOINT_LIMIT = 50;
const ATTEMPTS_PER_DESTINATION = 16;
const EVENTS = ['preauthorization.requested'] as const;

let victim: Server;
/** The responses that the victim, which is the flooded receiver, has not sent yet. */
let held: ServerResponse[] = [];
let posts = 0;
/** The maximum number of responses that the victim had not sent yet at one instant. */
let mostHeld = 0;

beforeAll(async () => {
  victim = createServer((request, response) => {
    request.resume();
    posts += 1;
    held.push(response);
    mostHeld = Math.max(mostHeld, held.length);
  });
  await new Promise<void>((resolve) => victim.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  victim.closeAllConnections();
  victim.close();
});

/** Returns several forms of the victim's URL, which all lead to the same destination. */
function spellAddress(): string[] {
  const { port } = victim.address() as AddressInfo;
  return [`http://localhost:${port}/`, `http://LOCALHOST:${port}/`, `http://localhost.:${port}/`];
}

function respondToAll(status: number): void {
  for (const response of held) response.writeHead(status).end();
  held = [];
}

/** Sends concurrent requests that create endpoints. Returns the IDs of the endpoints that were created. */
async function createConcurrently(client: Carecover, count: number): Promise<WebhookEndpointId[]> {
  const urls = spellAddress();
  const outcomes = await Promise.allSettled(
    Array.from({ length: count }, (_, n) =>
      client.webhookEndpoints.create({ url: `${urls[n % urls.length]}${n}`, events: [...EVENTS] }),
    ),
  );
  const rejected = outcomes.filter((outcome) => outcome.status === 'rejected');
  for (const { reason } of rejected) expect(reason).toMatchObject({ code: 'endpoint_limit_reached' });
  return outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value.id] : []));
}

test('of 80 concurrently created endpoints 50 exist, and no more can be created or enabled', async () => {
  const { world } = running;
  await world.limitEndpoints(ENDPOINT_LIMIT);
  const ids = await createConcurrently(world.client, 80);
  expect(ids).toHaveLength(ENDPOINT_LIMIT);
  const [disabled] = ids;
  if (disabled === undefined) throw new Error('no endpoint was created');
  await world.client.webhookEndpoints.disable(disabled);
  const attempts = await Promise.allSettled([
    ...Array.from({ length: 4 }, () => createConcurrently(world.client, 1)),
    ...Array.from({ length: 4 }, () => world.client.webhookEndpoints.update(disabled, { status: 'active' })),
  ]);
  expect(attempts.length).toBe(8);
  const { data } = await world.client.webhookEndpoints.list({ status: 'active', limit: 100 });
  expect(data).toHaveLength(ENDPOINT_LIMIT);
});

test('one event to 50 endpoints at one slow address causes at most 16 concurrent attempts per process, and does not delay another receiver', async () => {
  const { world } = running;
  const otherReceived: string[] = [];
  const receiver = await startReceiver(({ body }) => otherReceived.push(body));
  try {
    const [replaced] = (await world.client.webhookEndpoints.list({ status: 'active', limit: 1 })).data;
    if (replaced === undefined) throw new Error('no endpoint is active');
    await world.client.webhookEndpoints.update(replaced.id, { url: receiver.url });
    await world.createPendingPreauthorization();
    await eventually('the other receiver has the event', async () => otherReceived.length === 1);
    await eventually('the victim has pending responses', async () => held.length >= ATTEMPTS_PER_DESTINATION);
    // Waits long enough for several ticks of every dispatcher.
    await sleep(3_000);
    expect(mostHeld).toBeLessThanOrEqual(ATTEMPTS_PER_DESTINATION * REPLICAS);
    await eventually('every endpoint has the event', async () => {
      respondToAll(204);
      return posts >= ENDPOINT_LIMIT - 1;
    });
    await sleep(1_000);
    expect(posts).toBe(ENDPOINT_LIMIT - 1);
    expect(mostHeld).toBeLessThanOrEqual(ATTEMPTS_PER_DESTINATION * REPLICAS);
  } finally {
    receiver.close();
  }
});
