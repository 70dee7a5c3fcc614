import { Batcher } from './batcher';
import { nextTurn } from './next-turn';

const limits = { maxWaiting: 5, timeoutMs: 10_000, rejection: () => new Error('not executed') };
const options = { concurrency: 1, size: 3, limits };

test('requests of one turn share a batch, and those during it the next one, in order', async () => {
  const batches: (readonly number[])[] = [];
  let later: Promise<number[]> | undefined;
  const batcher = new Batcher(async (requests: readonly number[]) => {
    batches.push(requests);
    later ??= Promise.all([4, 5].map((request) => batcher.submit(request)));
    await nextTurn();
    return requests.map((request) => request * 10);
  }, options);
  const results = await Promise.all([1, 2, 3].map((request) => batcher.submit(request)));
  expect([...results, ...((await later) ?? [])]).toEqual([10, 20, 30, 40, 50]);
  expect(batches).toEqual([
    [1, 2, 3],
    [4, 5],
  ]);
});

test('a batch has at most the maximum number of requests', async () => {
  const sizes: number[] = [];
  const batcher = new Batcher(async (requests: readonly number[]) => {
    sizes.push(requests.length);
    return requests;
  }, options);
  await Promise.all([1, 2, 3, 4, 5].map((request) => batcher.submit(request)));
  expect(sizes).toEqual([3, 2]);
});

test('a further batch starts only while the one before is slow', async () => {
  const started: number[] = [];
  let thaw = () => {};
  const frozen = new Promise<void>((resolve) => {
    thaw = resolve;
  });
  const batcher = new Batcher(
    async (requests: readonly number[]) => {
      started.push(...requests);
      if (requests.includes(1)) await frozen;
      return requests;
    },
    { ...options, concurrency: 2 },
  );
  const slow = batcher.submit(1);
  await nextTurn();
  const next = batcher.submit(2);
  await nextTurn();
  expect(started).toEqual([1]);
  await expect(next).resolves.toBe(2);
  expect(started).toEqual([1, 2]);
  thaw();
  await expect(slow).resolves.toBe(1);
});

test('a failed batch fails only its own requests', async () => {
  const batcher = new Batcher(async (requests: readonly number[]) => {
    if (requests.includes(1)) throw new Error('unavailable');
    return requests;
  }, options);
  const outcomes = await Promise.allSettled([1, 2, 3, 4, 5].map((request) => batcher.submit(request)));
  expect(outcomes.map(({ status }) => status)).toEqual([
    ...Array(3).fill('rejected'),
    ...Array(2).fill('fulfilled'),
  ]);
});

test('a request above the maximum of waiting requests is rejected at once', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const batcher = new Batcher(async (requests: readonly number[]) => {
    await held;
    return requests;
  }, options);
  const first = [0, 1, 2].map((request) => batcher.submit(request));
  await nextTurn();
  first.push(...[3, 4, 5, 6, 7].map((request) => batcher.submit(request)));
  await expect(batcher.submit(8)).rejects.toThrow('not executed');
  release();
  await expect(Promise.all(first)).resolves.toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
});

test('requests time out while a batch never ends, and no further batch starts', async () => {
  let batches = 0;
  let thaw = () => {};
  const frozen = new Promise<void>((resolve) => {
    thaw = resolve;
  });
  const batcher = new Batcher(
    async (requests: readonly number[]) => {
      batches += 1;
      await frozen;
      return requests;
    },
    { ...options, limits: { ...limits, timeoutMs: 20 } },
  );
  const outcomes = await Promise.allSettled([1, 2, 3].map((request) => batcher.submit(request)));
  expect(outcomes.map(({ status }) => status)).toEqual(Array(3).fill('rejected'));
  expect(batches).toBe(1);
  thaw();
  await frozen;
  await expect(batcher.submit(4)).resolves.toBe(4);
});

test('with a linger time, requests of several turns share a batch; without limits, any number waits', async () => {
  const batches: (readonly number[])[] = [];
  const batcher = new Batcher(
    async (requests: readonly number[]) => {
      batches.push(requests);
      return requests;
    },
    { concurrency: 1, size: 3, lingerMs: 1_000 },
  );
  const first = batcher.submit(1);
  await nextTurn();
  const others = [2, 3, 4, 5, 6, 7].map((request) => batcher.submit(request));
  expect(await Promise.all([first, ...others])).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(batches).toEqual([[1, 2, 3], [4, 5, 6], [7]]);
});
