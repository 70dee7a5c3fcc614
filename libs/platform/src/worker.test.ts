import { totalmem } from 'node:os';
import { countCachedRuns } from './worker';

const MIB = 1024 ** 2;

test('a container with more memory keeps more runs, and the smallest one keeps those of all concurrent tasks', () => {
  expect(countCachedRuns(256 * MIB)).toBe(128);
  expect(countCachedRuns(512 * MIB)).toBe(525);
  expect(countCachedRuns(1024 * MIB)).toBeGreaterThan(2 * 525);
});

test('a process without a limit keeps as many runs as a container of 512 MiB', () => {
  for (const none of [0, totalmem() * 2, Number.MAX_SAFE_INTEGER]) expect(countCachedRuns(none)).toBe(525);
});
