import { PersonRateLimiter } from './person-rate-limiter';

test('a person has a number of requests per minute, and other persons are not affected', () => {
  const limiter = new PersonRateLimiter(2);
  expect([1, 2, 3].map(() => limiter.count('one', 30_000))).toEqual([null, null, 30]);
  expect(limiter.count('other', 30_000)).toBeNull();
  expect(limiter.count('one', 59_999)).toBe(1);
  expect(limiter.count('one', 60_000)).toBeNull();
});
