import { Batcher } from './batcher';

const limits = {
  concurrency: 1,
  size: 3,
  waiting: 5,
  limitMs: 10_000,
  unanswered: () => new Error('unanswered'),
};

test('questions that come while a batch is under way share the next one, in order', async () => {
  const batches: (readonly number[])[] = [];
  const batcher = new Batcher(async (questions: readonly number[]) => {
    batches.push(questions);
    return questions.map((question) => question * 10);
  }, limits);
  const answers = await Promise.all([1, 2, 3, 4, 5].map((question) => batcher.answer(question)));
  expect(answers).toEqual([10, 20, 30, 40, 50]);
  expect(batches).toEqual([[1], [2, 3, 4], [5]]);
});

test('a failed batch fails its own questions and no others', async () => {
  const batcher = new Batcher(async (questions: readonly number[]) => {
    if (questions.includes(1)) throw new Error('away');
    return questions;
  }, limits);
  const outcomes = await Promise.allSettled([1, 2, 3].map((question) => batcher.answer(question)));
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
});

test('more than may wait are refused at once', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const batcher = new Batcher(async (questions: readonly number[]) => {
    await held;
    return questions;
  }, limits);
  const first = [0, 1, 2, 3, 4, 5].map((question) => batcher.answer(question));
  await expect(batcher.answer(6)).rejects.toThrow('unanswered');
  release();
  await expect(Promise.all(first)).resolves.toEqual([0, 1, 2, 3, 4, 5]);
});

test('a database that never answers is not waited for, and is asked no more than it was', async () => {
  let asked = 0;
  let thaw = () => {};
  const frozen = new Promise<void>((resolve) => {
    thaw = resolve;
  });
  const batcher = new Batcher(
    async (questions: readonly number[]) => {
      asked += 1;
      await frozen;
      return questions;
    },
    { ...limits, limitMs: 20 },
  );
  const outcomes = await Promise.allSettled([1, 2, 3].map((question) => batcher.answer(question)));
  expect(outcomes.map(({ status }) => status)).toEqual(Array(3).fill('rejected'));
  expect(asked).toBe(1);
  thaw();
  await frozen;
  await expect(batcher.answer(4)).resolves.toBe(4);
});
