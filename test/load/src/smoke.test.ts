/** Runs every benchmark at a very small size, to check that the benchmark works. The measured values are not checked. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { benchmarks } from './benchmarks';

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

// All benchmarks run in one process, because benchmarks that need the same processes then share a stack.
beforeAll(async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      join(__dirname, '../dist/main.js'),
      ...Object.keys(benchmarks),
      ...TINY,
    ],
    { timeout: TIMEOUT_MS, maxBuffer: 16 * 1024 * 1024 },
  );
  printed = stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => (JSON.parse(line) as { benchmark: string }).benchmark);
}, TIMEOUT_MS);

test.each(Object.keys(benchmarks))(
  'the benchmark %s runs and prints its results as lines of JSON',
  (name) => {
    expect(printed.map((benchmark) => benchmark.split(':')[0])).toContain(name);
  },
);

test('the benchmark of payments prints its results for each number of allocations', () => {
  const sizes = ['1', '2'];
  expect(printed.filter((benchmark) => benchmark.startsWith('payments:'))).toEqual(
    sizes.flatMap((size) => ['inside', 'remitted', 'settled'].map((what) => `payments: ${size} ${what}`)),
  );
});

test('the benchmark of replicas runs with each number of them and prints its results as lines of JSON', () => {
  expect(printed.filter((benchmark) => benchmark === 'replicas')).toHaveLength(2);
});
