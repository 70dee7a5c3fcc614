import { MinuteLimiter } from './minute-limiter';

test('a key has a number of uses per minute, and other keys are not affected', () => {
  const limiter = new MinuteLimiter(2);
  expect([1, 2, 3].map(() => limiter.count('one', 30_000))).toEqual([null, null, 30]);
  expect(limiter.count('other', 30_000)).toBeNull();
  expect(limiter.count('one', 59_999)).toBe(1);
  expect(limiter.count('one', 60_000)).toBeNull();
});

test('a check says whether the limit is reached, and counts nothing', () => {
  const limiter = new MinuteLimiter(1);
  for (const _ of [1, 2, 3]) expect(limiter.check('one', 30_000)).toBeNull();
  limiter.count('one', 30_000);
  expect(limiter.check('one', 30_000)).toBe(30);
  expect([limiter.check('other', 30_000), limiter.check('one', 60_000)]).toEqual([null, null]);
});
