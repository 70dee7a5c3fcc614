import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartFailure } from './failure';
import { REPOSITORY } from './home';
import {
  countReport,
  formatFailures,
  formatSlowest,
  formatSummary,
  GROUPS,
  MEASURING,
  parseTestArguments,
  SOURCE_FOLDERS,
  suitesIn,
} from './run-tests';

const clean = {
  numPassedTests: 5,
  numFailedTests: 0,
  numRuntimeErrorTestSuites: 0,
  success: true,
  testResults: [],
};

test('the summary adds the counts of all runs', () => {
  expect(formatSummary([{ passed: 1, failed: 0 }, countReport(clean), { passed: 0, failed: 2 }])).toBe(
    '6 passed, 2 failed',
  );
});

test('a suite that cannot run counts as a failure', () => {
  expect(countReport({ ...clean, numRuntimeErrorTestSuites: 2, success: false })).toEqual({
    passed: 5,
    failed: 2,
  });
});

test('a run that fails without a failing test counts as a failure', () => {
  expect(countReport({ ...clean, success: false })).toEqual({ passed: 5, failed: 1 });
});

test('the suites that took longest come first, with their seconds', () => {
  const suite = (name: string, ms: number) => ({
    name: join(REPOSITORY, name),
    startTime: 1_000,
    endTime: 1_000 + ms,
  });
  const testResults = [suite('a.test.ts', 900), suite('b.test.ts', 120_400), suite('c.test.ts', 100)];
  expect(formatSlowest(testResults, 2)).toBe('  120 s  b.test.ts\n    1 s  a.test.ts');
});

test('the end of the output names each failed check, suite and test with the first lines of its message', () => {
  const lines = Array.from({ length: 20 }, (_, line) => `line ${line + 1}`);
  const suite = (name: string, message: string, failureMessages: readonly string[]) => ({
    ...{ name: join(REPOSITORY, name), status: message === '' ? 'passed' : 'failed', message },
    assertionResults: [
      { fullName: 'group of passed tests', status: 'passed', failureMessages: [] },
      ...failureMessages.map((each) => ({
        fullName: 'group test',
        status: 'failed',
        failureMessages: [each],
      })),
    ],
  });
  const testResults = [
    suite('a.test.ts', '', []),
    suite('b.test.ts', 'all messages', [`\u001b[31mred\u001b[39m\n\n${lines.join('\n')}`, 'another']),
    suite('c.test.ts', 'Cannot find module', []),
  ];
  expect(formatFailures(['types', 'words'], testResults).split('\n')).toEqual([
    'the check of types',
    'the check of words',
    'b.test.ts',
    '  group test',
    '    red',
    ...lines.slice(0, 11).map((line) => `    ${line}`),
    '  group test',
    '    another',
    'c.test.ts',
    '    Cannot find module',
  ]);
  expect(formatFailures([], testResults.slice(0, 1))).toBe('');
});

test('every suite is in one of the folders that run beside each other', () => {
  const config = require(join(REPOSITORY, 'jest.config.js'));
  const folders = config.roots.map((root: string) => root.replace('<rootDir>/', ''));
  expect(GROUPS.flatMap((group) => [...group.folders]).toSorted()).toEqual(folders.toSorted());
  const [stacks = '', packages = ''] = GROUPS.map((group) => suitesIn(group.folders));
  const suite = join(REPOSITORY, 'test/chaos/src/cluster.test.ts');
  expect([new RegExp(stacks).test(suite), new RegExp(packages).test(suite)]).toEqual([true, false]);
});

test('the suites that compare durations exist', () => {
  const suites = readdirSync(join(REPOSITORY, 'test/security/src')).filter((name) =>
    new RegExp(MEASURING).test(join(REPOSITORY, 'test/security/src', name)),
  );
  expect(suites).toHaveLength(2);
});

test('a run against a cluster names its suites', () => {
  expect(parseTestArguments(['test/contract', '-t', 'x'])).toEqual({
    target: 'stack',
    jestArgs: ['test/contract', '-t', 'x'],
  });
  expect(parseTestArguments(['--target', 'cluster', 'test/contract'])).toEqual({
    target: 'cluster',
    jestArgs: ['test/contract'],
  });
  for (const args of [['--target'], ['--target', 'moon', 'test/contract'], ['--target', 'cluster']]) {
    expect(() => parseTestArguments(args)).toThrow(StartFailure);
  }
});

test('npm test checks the imports in the same folders as npm run lint', () => {
  const { scripts } = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8'));
  expect(scripts.lint).toContain(`&& depcruise ${SOURCE_FOLDERS.join(' ')} &&`);
});

interface LockEntry {
  optionalDependencies?: Record<string, string>;
  integrity?: string;
  link?: boolean;
}

const { packages } = JSON.parse(readFileSync(join(REPOSITORY, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, LockEntry>;
};

test('every package in the lock file has a SHA-512 hash, so that no other content is installed', () => {
  const unhashed = Object.entries(packages)
    .filter(([path, { link }]) => path.includes('node_modules/') && link !== true)
    .filter(([, { integrity }]) => integrity?.startsWith('sha512-') !== true)
    .map(([path]) => path);
  expect(unhashed).toEqual([]);
});

test('the lock file has an entry for every optional package, as npm ci requires', () => {
  const missing = Object.entries(packages).flatMap(([path, entry]) =>
    Object.keys(entry.optionalDependencies ?? {}).filter(
      (name) =>
        packages[`${path}/node_modules/${name}`] === undefined &&
        packages[`node_modules/${name}`] === undefined,
    ),
  );
  expect(missing).toEqual([]);
});
