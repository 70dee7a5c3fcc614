import { countCachedRuns } from './worker';

const MIB = 1024 ** 2;
const GIB = 1024 * MIB;

test('a container with more memory keeps more runs, and the smallest one keeps those of all concurrent tasks', () => {
  expect(countCachedRuns(256 * MIB, 64 * GIB)).toBe(128);
  expect(countCachedRuns(512 * MIB, 64 * GIB)).toBe(525);
  expect(countCachedRuns(GIB, 64 * GIB)).toBeGreaterThan(2 * 525);
});

test('a process without a limit uses a sixteenth of the memory of the machine, but at least 512 MiB', () => {
  const withoutLimit = [0, 64 * GIB, Number.MAX_SAFE_INTEGER];
  for (const none of withoutLimit) {
    expect(countCachedRuns(none, 4 * GIB)).toBe(525);
    expect(countCachedRuns(none, 16 * GIB)).toBe(countCachedRuns(GIB, 16 * GIB));
  }
});
