/** Runs every benchmark at a very small size. Does not check the measured values. */
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
];

test('every benchmark runs and prints its results as lines of JSON', async () => {
  const names = Object.keys(benchmarks);
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(__dirname, '../dist/main.js'), ...names, ...TINY],
    { timeout: 400_000, maxBuffer: 16 * 1024 * 1024 },
  );
  const printed = stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => (JSON.parse(line) as { benchmark: string }).benchmark);
  expect([...new Set(printed.map((benchmark) => benchmark.split(':')[0]))]).toEqual(names);
  const sizes = ['1', '10', '100'];
  expect(printed.filter((benchmark) => benchmark.startsWith('payments:'))).toEqual(
    sizes.flatMap((size) => ['inside', 'remitted', 'settled'].map((what) => `payments: ${size} ${what}`)),
  );
}, 420_000);
