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
  '--claims',
  '20',
  '--idle',
  '1',
];

/** Runs these benchmarks in one process, and returns the names in the JSON lines that they print, in order. */
async function run(names: readonly string[]): Promise<string[]> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(__dirname, '../dist/main.js'), ...names, ...TINY],
    { timeout: 400_000, maxBuffer: 16 * 1024 * 1024 },
  );
  return stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => (JSON.parse(line) as { benchmark: string }).benchmark);
}

const COMMANDS = ['claims', 'payments'];

test('the benchmarks of commands run and print their results as lines of JSON', async () => {
  const printed = await run(COMMANDS);
  expect([...new Set(printed.map((benchmark) => benchmark.split(':')[0]))]).toEqual(COMMANDS);
  const sizes = ['1', '10', '100'];
  expect(printed.filter((benchmark) => benchmark.startsWith('payments:'))).toEqual(
    sizes.flatMap((size) => ['inside', 'remitted', 'settled'].map((what) => `payments: ${size} ${what}`)),
  );
}, 420_000);

test('the benchmark of replicas runs with 1, 2 and 4 of them and prints its results as lines of JSON', async () => {
  expect(await run(['replicas'])).toEqual(['replicas', 'replicas', 'replicas']);
}, 420_000);

/** The benchmarks that the other tests of this file do not run. The benchmarks of a group share one stack. */
const GROUPS: readonly (readonly string[])[] = [
  ['gateway', 'care', 'webhooks', 'client', 'strain'],
  ['growth', 'console', 'portfolio'],
  ['failover'],
];

test.each(GROUPS)(
  'the benchmarks %s… run and print their results as lines of JSON',
  async (...names) => {
    const printed = await run(names);
    expect([...new Set(printed.map((benchmark) => benchmark.split(':')[0]))]).toEqual(names);
  },
  420_000,
);

test('every benchmark is run', () => {
  expect([...COMMANDS, 'replicas', ...GROUPS.flat()].sort()).toEqual(Object.keys(benchmarks).sort());
});
