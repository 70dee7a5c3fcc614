import { setTimeout as sleep } from 'node:timers/promises';
import { Batcher } from '@carecover/process';
import { activeCost, computeAtCost, measureCost, RequestCost } from '@carecover/telemetry';
import { createTestDatabase, eventually, type TestDatabase } from '@carecover/testing/servers';
import { connectPostgres, type Sql } from './connect';

let database: TestDatabase;
let sql: Sql;

beforeAll(async () => {
  database = await createTestDatabase({ services: ['claims'] });
  sql = connectPostgres(database.adminUrl, 4, 'request-cost');
});
afterAll(async () => {
  await sql?.end();
  await database?.drop();
});

/** Runs the work as a request of the project, and returns the request's cost in milliseconds. */
async function costOf(work: () => Promise<unknown>, project = 'prj_1'): Promise<number> {
  const cost = new RequestCost(project);
  await measureCost(cost, async () => void (await work()));
  return cost.ms;
}

const sleepInDatabase = async (seconds: number) => sql`select pg_sleep(${seconds}::float8)`;

test('the use of database connections and long computations cost their time, and waiting costs nothing', async () => {
  expect(await costOf(() => sleepInDatabase(0.1))).toBeGreaterThanOrEqual(99);
  const inTransaction = () => sql.begin(async (tx) => tx`select pg_sleep(0.1)`);
  expect(await costOf(inTransaction)).toBeGreaterThanOrEqual(99);
  const compute = async () => {
    const endMs = performance.now() + 50;
    computeAtCost(() => {
      while (performance.now() < endMs);
    });
  };
  expect(await costOf(compute)).toBeGreaterThanOrEqual(49);
  expect(await costOf(() => sleep(200))).toBe(0);
});

test('concurrent requests are charged what they cost themselves', async () => {
  const [expensive, cheap] = await Promise.all([
    costOf(() => sleepInDatabase(1)),
    costOf(async () => sql`select 1`),
  ]);
  expect(cheap).toBeLessThan(expensive / 2);
});

test('work of a batch is charged to no request', async () => {
  const batcher = new Batcher(
    async (requests: readonly number[]) => {
      await sleepInDatabase(0.1);
      return requests.map(() => activeCost() === undefined);
    },
    { concurrency: 1, size: 10 },
  );
  expect(await costOf(async () => expect(await batcher.submit(1)).toBe(true))).toBe(0);
});

test('the cost that a service reports is added, and a header that is no number is not', () => {
  const cost = new RequestCost('prj_1');
  for (const header of ['12.5', undefined, 'many', '-3', ['1', '2']]) cost.addReported(header);
  expect([cost.ms, cost.toHeader()]).toEqual([12.5, '12.5']);
});

describe('a pool of four connections', () => {
  /** Starts requests of the project that use a connection until they are released. */
  function holdConnections(project: string, count: number) {
    const held: { busy: number; release: () => void } = { busy: 0, release: () => undefined };
    const released = new Promise<void>((resolve) => {
      held.release = resolve;
    });
    const costs = Array.from({ length: count }, () =>
      costOf(
        () =>
          sql.begin(async (tx) => {
            await tx`select 1`;
            held.busy += 1;
            await released;
            held.busy -= 1;
          }),
        project,
      ),
    );
    return { held, costs };
  }

  test('leaves half of them to other projects and to sweeps, however many requests one project has', async () => {
    const { held, costs } = holdConnections('prj_1', 6);
    await eventually('two requests have a connection', async () => held.busy === 2);
    expect(sql.use()).toMatchObject({ size: 4, waiting: 4 });
    await costOf(async () => sql`select 1`, 'prj_2');
    await sql`select 1`;
    expect(held.busy).toBe(2);
    held.release();
    await Promise.all(costs);
    expect(sql.use().waiting).toBe(0);
  });

  test('charges no request the time for which it waits for a connection', async () => {
    const { held, costs } = holdConnections('prj_1', 2);
    await eventually('both have a connection', async () => held.busy === 2);
    const waiting = costOf(async () => sql`select 1`);
    await sleep(500);
    held.release();
    const [first = 0] = await Promise.all(costs);
    expect(await waiting).toBeLessThan(first);
  });
});
