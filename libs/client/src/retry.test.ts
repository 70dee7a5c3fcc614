import { retryDelayMs } from './retry.ts';

test('the delay is at least the exponential backoff, also with a shorter Retry-After', () => {
  const delays = (requestedSeconds: number | null) =>
    [0, 1, 2, 3].map((attempt) => retryDelayMs(attempt, requestedSeconds, 0));
  expect(delays(null)).toEqual([125, 250, 500, 1_000]);
  expect(delays(0)).toEqual(delays(null));
  expect(delays(1)).toEqual([1_000, 1_000, 1_000, 1_000]);
});

test('a Retry-After of more than two minutes prevents a retry', () => {
  expect(retryDelayMs(0, 120, 0)).toBe(120_000);
  expect(retryDelayMs(0, 121, 0)).toBeNull();
});
