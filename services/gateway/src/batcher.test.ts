import { Batcher } from './batcher';

const limits = {
  concurrency: 1,
  size: 3,
  maxWaiting: 5,
  timeoutMs: 10_000,
  rejection: () => new Error('not executed'),
};

test('requests during a batch share the next batch in order', async () => {
  const batches: (readonly number[])[] = [];
  const batcher = new Batcher(async (requests: readonly number[]) => {
    batches.push(requests);
    return requests.map((request) => request * 10);
  }, limits);
  const results = await Promise.all([1, 2, 3, 4, 5].map((request) => batcher.submit(request)));
  expect(results).toEqual([10, 20, 30, 40, 50]);
  expect(batches).toEqual([[1], [2, 3, 4], [5]]);
});

test('a failed batch fails only its own requests', async () => {
  const batcher = new Batcher(async (requests: readonly number[]) => {
    if (requests.includes(1)) throw new Error('unavailable');
    return requests;
  }, limits);
  const outcomes = await Promise.allSettled([1, 2, 3].map((request) => batcher.submit(request)));
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
});

test('a request above the maximum of waiting requests is rejected at once', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const batcher = new Batcher(async (requests: readonly number[]) => {
    await held;
    return requests;
  }, limits);
  const first = [0, 1, 2, 3, 4, 5].map((request) => batcher.submit(request));
  await expect(batcher.submit(6)).rejects.toThrow('not executed');
  release();
  await expect(Promise.all(first)).resolves.toEqual([0, 1, 2, 3, 4, 5]);
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
    { ...limits, timeoutMs: 20 },
  );
  const outcomes = await Promise.allSettled([1, 2, 3].map((request) => batcher.submit(request)));
  expect(outcomes.map(({ status }) => status)).toEqual(Array(3).fill('rejected'));
  expect(batches).toBe(1);
  thaw();
  await frozen;
  await expect(batcher.submit(4)).resolves.toBe(4);
});
