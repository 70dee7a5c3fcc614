import { retryDelayMs } from './retry.ts';

test('each try is at least as far away as backoff makes it, whatever the answer asks for', () => {
  const delays = (askedSeconds: number | null) =>
    [0, 1, 2, 3].map((attempt) => retryDelayMs(attempt, askedSeconds, 0));
  expect(delays(null)).toEqual([125, 250, 500, 1_000]);
  expect(delays(0)).toEqual(delays(null));
  expect(delays(1)).toEqual([1_000, 1_000, 1_000, 1_000]);
});

test('who asks for more than two minutes is not asked again', () => {
  expect(retryDelayMs(0, 120, 0)).toBe(120_000);
  expect(retryDelayMs(0, 121, 0)).toBeNull();
});
