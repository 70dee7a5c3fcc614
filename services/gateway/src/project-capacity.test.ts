import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { operations } from '@carecover/contract';
import { storedTenant } from '@carecover/domain';
import { createLog } from '@carecover/telemetry';
import { ProjectCapacity, type Turn, type Work, workOf } from './project-capacity';

const LIMITS = { requestCostMs: 30, requestsOfProject: 4, longRequestsOfProject: 2 };
const UNAVAILABLE = { code: 'service_unavailable' };

const create = (replicas = 1) => new ProjectCapacity(LIMITS, () => replicas, createLog('test', 'silent'));
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

/** The permits that a test has taken. They are released after the test, also those that waiting requests then get. */
const held: (() => void)[] = [];
afterEach(async () => {
  for (let release = held.pop(); release !== undefined; release = held.pop()) {
    release();
    await settled();
  }
});

/** Takes permits, and returns the functions that release those that were available. */
async function takeAll(capacity: ProjectCapacity, project: string, work: Work, count: number) {
  const taken: (() => void)[] = [];
  const rejected: unknown[] = [];
  for (let request = 0; request < count; request++)
    void capacity.acquire(project, 'claims', work).then(
      (release) => {
        taken.push(release);
        held.push(release);
      },
      (error: unknown) => rejected.push(error),
    );
  await settled();
  return { taken, rejected };
}

test('a project has its maximum of permits, and another project has permits of its own', async () => {
  const capacity = create();
  const { taken } = await takeAll(capacity, 'prj_busy', 'read', 50);
  expect(taken).toHaveLength(4);
  expect((await takeAll(capacity, 'prj_quiet', 'read', 1)).taken).toHaveLength(1);
  taken[0]?.();
  // A permit that is released twice is released once.
  taken[0]?.();
  await settled();
  expect(taken).toHaveLength(5);
});

test('commands, reads, long answers and files have separate permits, as has each service', async () => {
  const capacity = create();
  for (const work of ['command', 'read', 'long', 'file'] as const) {
    const { taken } = await takeAll(capacity, 'prj_busy', work, 50);
    expect(taken).toHaveLength(work === 'long' || work === 'file' ? 2 : 4);
  }
  expect(await capacity.acquire('prj_busy', 'care', 'read')).toBeInstanceOf(Function);
});

test('a file does not wait for a permit', async () => {
  const { rejected } = await takeAll(create(), 'prj_busy', 'file', 5);
  expect(rejected).toMatchObject([UNAVAILABLE, UNAVAILABLE, UNAVAILABLE]);
});

test('the maximum grows with the replicas of the service', async () => {
  expect((await takeAll(create(3), 'prj_busy', 'read', 50)).taken).toHaveLength(12);
});

test('many projects together get at most the permits of all', async () => {
  const capacity = create();
  const projects = await Promise.all(
    Array.from({ length: 10 }, (_, index) => takeAll(capacity, `prj_${index}`, 'read', 4)),
  );
  expect(projects.flatMap(({ taken }) => taken)).toHaveLength(32);
});

test.each([
  ['getClaim', false, 'read'],
  ['createClaim', false, 'command'],
  ['getReceivables', false, 'long'],
  ['testWebhookEndpoint', false, 'long'],
  ['listValuationRunClaims', false, 'long'],
  ['listValuationRunClaims', true, 'file'],
] as const)('%s (file: %s) needs a permit for %s', (id, isFile, work) => {
  expect(workOf(operations[id], isFile)).toBe(work);
});

describe('a request', () => {
  const response = Object.assign(new EventEmitter(), {
    closed: false,
    req: { socket: Object.assign(new EventEmitter(), { destroyed: false }) },
  }) as unknown as ServerResponse;
  const caller = { tenant: storedTenant('prj_1'), rateLimit: 1_000 };
  const run = (capacity: ProjectCapacity, work: (turn: Turn) => Promise<void>) =>
    capacity.run(caller, operations.getReceivables, response, work);

  test('is charged its cost, also if it fails, and the next one waits until the project has processor time', async () => {
    const capacity = create();
    await expect(
      run(capacity, async ({ cost }) => {
        cost.add(700);
        throw new Error('it failed');
      }),
    ).rejects.toThrow('it failed');
    const startedMs = performance.now();
    await run(capacity, async () => undefined);
    // 200 ms are missing, and 0.5 ms are refilled per millisecond. The time between the two requests refilled a part.
    expect(performance.now() - startedMs).toBeGreaterThan(300);
  });

  test('that waits for a time has released what was reserved for it', async () => {
    const capacity = create();
    // After this request, 600 ms are expected of the operation, more than a full account has.
    await run(capacity, async ({ cost }) => cost.add(600));
    const waits: Promise<void>[] = [];
    for (let request = 0; request < 3; request++) waits.push(run(capacity, ({ wait }) => wait(20)));
    await Promise.all(waits);
  });

  test('of a project with a low limit can still cost what a report costs', async () => {
    const capacity = create();
    const low = { ...caller, rateLimit: 1 };
    await capacity.run(low, operations.getReceivables, response, async ({ cost }) => cost.add(150));
    await capacity.run(low, operations.getReceivables, response, async () => undefined);
  });
});
