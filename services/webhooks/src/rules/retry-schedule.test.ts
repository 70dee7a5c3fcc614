import { WEBHOOK_DISABLE_AFTER_MS, WEBHOOK_SCHEDULE_MS } from '@carecover/contract';
import { retryDelayMs } from './retry-schedule';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

function pauses(random: number, requestedMs: number | null = null): number[] {
  const all: number[] = [];
  for (
    let pause = retryDelayMs(1, random, requestedMs);
    pause !== null;
    pause = retryDelayMs(all.length + 1, random, requestedMs)
  ) {
    all.push(pause);
  }
  return all;
}

test('eight attempts: immediately, then after about 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h', () => {
  expect(pauses(0.5)).toEqual([5_000, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR]);
});

test('jitter changes a delay by at most a tenth in either direction', () => {
  expect(pauses(0)[0]).toBe(4_500);
  expect(pauses(0.999999)[0]).toBe(5_500);
  expect(pauses(0.25)).not.toEqual(pauses(0.75));
});

test('a requested delay is waited for, and up to a tenth longer', () => {
  expect(pauses(0, MINUTE)[0]).toBe(MINUTE);
  expect(pauses(0.5, MINUTE)[0]).toBe(1.05 * MINUTE);
  expect(pauses(0.999999, MINUTE)[0]).toBe(1.1 * MINUTE);
});

test.each([-1, 0, 1, MINUTE, 9 * HOUR])(
  'no attempt is earlier than scheduled if %d ms are requested',
  (ms) => {
    for (const random of [0, 0.5, 0.999999]) {
      const requested = pauses(random, ms);
      expect(requested).toEqual(pauses(random).map((pause, index) => Math.max(pause, requested[index] ?? 0)));
    }
  },
);

test.each([11 * HOUR, 1e300, Number.POSITIVE_INFINITY])(
  'a request of %d ms delays each attempt by the longest step of the schedule and adds none',
  (ms) => {
    expect(pauses(0, ms)).toEqual(Array(WEBHOOK_SCHEDULE_MS.length - 1).fill(10 * HOUR));
    expect(Math.max(...pauses(0.999999, ms))).toBeLessThanOrEqual(11 * HOUR);
    const roundMs = pauses(0.999999, ms).reduce((sum, pause) => sum + pause, 0);
    expect(roundMs).toBeLessThan(WEBHOOK_DISABLE_AFTER_MS);
  },
);
