/**
 * Runs benchmarks at a very small size, to check that they work. The measured values are not checked. Only the soak test runs every
 * benchmark; otherwise the seed of the test run draws some.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { drawCases } from '@carecover/testing';
import { testSize } from '@carecover/testing/servers';
import { benchmarks } from './benchmarks';

const ALL = Object.keys(benchmarks);
const DRAWN = testSize({ ci: drawCases(ALL, 2), soak: ALL });

const TINY = [
  '--seconds',
  '0.2',
  '--warm-up',
  '0.1',
  '--rounds',
  '1',
  '--connections',
  '2',
  '--prepared',
  '1',
  '--allocations',
  '1,2',
  '--claims',
  '20',
  '--idle',
  '1',
  '--replicas',
  '1,2',
  // One service and one server: the fault suites kill all of them.
  '--processes',
  'gateway,nats',
];
const TIMEOUT_MS = 1_800_000;

/** The names in the JSON lines that the benchmarks print, in order. */
let printed: string[];

// The benchmarks run in one process, because benchmarks that need the same processes then share a stack.
beforeAll(async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(__dirname, '../dist/main.js'), ...DRAWN, ...TINY],
    { timeout: TIMEOUT_MS, maxBuffer: 16 * 1024 * 1024 },
  );
  printed = stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => (JSON.parse(line) as { benchmark: string }).benchmark);
}, TIMEOUT_MS);

/** The names in all lines of the benchmarks that print their results once per size. */
const PRINTED_PER_SIZE: Readonly<Record<string, readonly string[]>> = {
  payments: ['1', '2'].flatMap((size) =>
    ['inside', 'remitted', 'settled'].map((what) => `payments: ${size} ${what}`),
  ),
  replicas: ['replicas', 'replicas'],
};

test.each(DRAWN)('the benchmark %s runs and prints its results as lines of JSON', (name) => {
  const lines = printed.filter((benchmark) => benchmark.split(':')[0] === name);
  expect(lines).not.toEqual([]);
  const expected = PRINTED_PER_SIZE[name];
  if (expected !== undefined) expect(lines).toEqual(expected);
});
