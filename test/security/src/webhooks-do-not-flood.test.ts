/**
 * Attacks the guarantee that a project can't make this service flood a receiver: endpoints per project are bounded, and so are
 * attempts in flight per destination, whatever the destination's owner does with them and however its address is spelled.
 */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Carecover } from '@carecover/client';
import { eventually } from '@carecover/local/testing';
import { startReceiver, useWorld } from '@carecover/test-support';

const REPLICAS = 2;
const ENDPOINT_LIMIT = 50;
const ATTEMPTS_PER_DESTINATION = 16;
const EVENTS = ['preauthorization.requested'] as const;

const running = useWorld({ replicas: REPLICAS });
let victim: Server;
/** Answers that the victim has not given yet, and the most that there ever were. */
let held: ServerResponse[] = [];
let posts = 0;
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

/** Spellings of one address. */
function spellings(): string[] {
  const { port } = victim.address() as AddressInfo;
  return [`http://localhost:${port}/`, `http://LOCALHOST:${port}/`, `http://localhost.:${port}/`];
}

function answerAll(status: number): void {
  for (const response of held) response.writeHead(status).end();
  held = [];
}

/** Endpoints that a client created of so many tried at once, at a default project. */
async function createAtOnce(client: Carecover, count: number): Promise<string[]> {
  const urls = spellings();
  const outcomes = await Promise.allSettled(
    Array.from({ length: count }, (_, n) =>
      client.webhookEndpoints.create({ url: `${urls[n % urls.length]}${n}`, events: [...EVENTS] }),
    ),
  );
  const rejected = outcomes.filter((outcome) => outcome.status === 'rejected');
  for (const { reason } of rejected) expect(reason).toMatchObject({ code: 'endpoint_limit_reached' });
  return outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value.id] : []));
}

test('of 80 endpoints created at once over all replicas 50 exist, and none is opened beyond them', async () => {
  const { world } = running;
  await world.limitEndpoints(ENDPOINT_LIMIT);
  const ids = await createAtOnce(world.client, 80);
  expect(ids).toHaveLength(ENDPOINT_LIMIT);
  const [disabled = ''] = ids;
  await world.client.webhookEndpoints.disable(disabled);
  const opened = await Promise.allSettled([
    ...Array.from({ length: 4 }, () => createAtOnce(world.client, 1)),
    ...Array.from({ length: 4 }, () => world.client.webhookEndpoints.update(disabled, { status: 'active' })),
  ]);
  expect(opened.length).toBe(8);
  const { data } = await world.client.webhookEndpoints.list({ status: 'active', limit: 100 });
  expect(data).toHaveLength(ENDPOINT_LIMIT);
});

test('one event to 50 endpoints of one slow address is at most 16 posts at a time per process, and others get theirs', async () => {
  const { world } = running;
  const bystander: string[] = [];
  const receiver = await startReceiver(({ body }) => bystander.push(body));
  try {
    const [replaced] = (await world.client.webhookEndpoints.list({ status: 'active', limit: 1 })).data;
    await world.client.webhookEndpoints.update(replaced?.id ?? '', { url: receiver.url });
    await world.createPendingPreauthorization();
    await eventually('the bystander got the event', async () => bystander.length === 1);
    await eventually('the victim holds attempts', async () => held.length >= ATTEMPTS_PER_DESTINATION);
    // Several looks of every dispatcher.
    await sleep(3_000);
    expect(mostHeld).toBeLessThanOrEqual(ATTEMPTS_PER_DESTINATION * REPLICAS);
    await eventually('every endpoint got the event', async () => {
      answerAll(204);
      return posts >= ENDPOINT_LIMIT - 1;
    });
    await sleep(1_000);
    expect(posts).toBe(ENDPOINT_LIMIT - 1);
    expect(mostHeld).toBeLessThanOrEqual(ATTEMPTS_PER_DESTINATION * REPLICAS);
  } finally {
    receiver.close();
  }
});
