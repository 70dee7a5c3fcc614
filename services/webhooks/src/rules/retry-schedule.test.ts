import { retryDelayMs } from './retry-schedule';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

function pauses(random: number): number[] {
  const all: number[] = [];
  for (let pause = retryDelayMs(1, random); pause !== null; pause = retryDelayMs(all.length + 1, random)) {
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
