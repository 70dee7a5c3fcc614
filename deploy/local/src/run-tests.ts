/**
 * The commands `npm test` and `npm run soak`: type check, lint and all test suites, with one summary. In `npm test`, the suites of the folder
 * `test` run one after the other, and beside them those of the packages. Most suites of `test` start a whole stack, and two stacks at a time
 * need more than two processors. The suites that compare durations follow, with nothing beside them.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { setPriority, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { ensureSpace, MEGABYTE } from './disk';
import { StartFailure } from './failure';
import { REPOSITORY } from './home';
import {
  actionlintExecutable,
  helmExecutable,
  linearizabilityChecker,
  natsExecutable,
  oasdiffExecutable,
  temporalExecutable,
  temporalTestServerExecutable,
} from './toolchain';

export interface Count {
  passed: number;
  failed: number;
}

/** The counts in the JSON report of Jest. */
interface JestReport {
  numPassedTests: number;
  numFailedTests: number;
  /** Number of suites that could not be executed. They have no failed test in the report. */
  numRuntimeErrorTestSuites: number;
  success: boolean;
  testResults: readonly {
    /** The path of the suite's file. */
    name: string;
    /** Epoch milliseconds. */
    startTime: number;
    endTime: number;
    status: string;
    /** The messages of all failures as Jest prints them; of a suite that could not be executed, the reason. */
    message: string;
    assertionResults: readonly {
      /** The titles of the groups around the test, and its own. */
      fullName: string;
      status: string;
      /** Each with its stack. */
      failureMessages: readonly string[] | null;
    }[];
  }[];
}

type SuiteResult = JestReport['testResults'][number];

const RUN_BYTES = 500 * MEGABYTE;
const EXIT_MS = 60_000;
/** The folders whose imports dependency-cruiser checks, as in the script `lint` of package.json. It expands the patterns itself. */
export const SOURCE_FOLDERS = ['libs', 'services', 'workflows', 'deploy', 'test'].map(
  (name) => `${name}/*/src`,
);
/** The number of suites that are listed with their durations. */
const SLOWEST = 20;
/** The number of lines that are listed of the message of a failed test. */
const MESSAGE_LINES = 12;
/**
 * The size of a worker of Jest after which another one continues with the next suite. Modules of a suite that has ended stay in memory, so one
 * process for all suites of the packages needs more than Node.js permits, and collects garbage for most of its time before that.
 */
const WORKER_LIMIT = '1GB';
/**
 * The folders whose suites run beside those of the other entry, one suite at a time. A stack has many processes, so its suites have a lower
 * priority: without it, the one process of the other entry would get only a small share of the processors.
 */
export const GROUPS = [
  { folders: ['test'], niceness: 5 },
  { folders: ['libs', 'services', 'workflows', 'deploy'], niceness: 0 },
] as const;

/** The suites that compare durations, as a pattern of Jest. Anything that runs beside them would change what they measure. */
export const MEASURING =
  '/test/security/src/(one-project-delays-no-other|projects-do-not-wait-for-hostile-bodies)\\.test\\.ts$';

/** Returns the argument for Jest that selects the suites in folders of this repository. */
export function suitesIn(folders: readonly string[]): string {
  const repository = REPOSITORY.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return `^${repository}/(${folders.join('|')})/`;
}

/** Returns the numbers of passed and failed tests in a report of Jest. A failed run counts as at least one failed test. */
export function countReport(report: JestReport): Count {
  const failed = report.numFailedTests + report.numRuntimeErrorTestSuites;
  // Jest can fail without a failed test, for example in its global setup.
  return { passed: report.numPassedTests, failed: failed === 0 && !report.success ? 1 : failed };
}

/** Returns the suites that took longest, one per line, with their durations in seconds. */
export function formatSlowest(
  testResults: readonly Pick<SuiteResult, 'name' | 'startTime' | 'endTime'>[],
  count = SLOWEST,
): string {
  const suites = testResults
    .map(({ name, startTime, endTime }) => ({ name: relative(REPOSITORY, name), ms: endTime - startTime }))
    .sort((a, b) => b.ms - a.ms);
  return suites
    .slice(0, count)
    .map(({ name, ms }) => `${String(Math.round(ms / 1_000)).padStart(5)} s  ${name}`)
    .join('\n');
}

/**
 * Returns the failed checks, and the failed tests with the first lines of their messages. The end of the output is all that a run in CI shows
 * at first.
 *
 * @returns the empty text if nothing failed
 */
export function formatFailures(
  checks: readonly string[],
  testResults: readonly Pick<SuiteResult, 'name' | 'status' | 'message' | 'assertionResults'>[],
): string {
  const firstLines = (message: string) =>
    stripVTControlCharacters(message)
      .split('\n')
      .filter((line) => line.trim() !== '')
      .slice(0, MESSAGE_LINES)
      .map((line) => `    ${line}`);
  const suites = testResults
    .filter(({ status }) => status === 'failed')
    .map(({ name, message, assertionResults }) => {
      const tests = assertionResults
        .filter(({ status }) => status === 'failed')
        .flatMap(({ fullName, failureMessages }) => [
          `  ${fullName}`,
          ...firstLines(failureMessages?.join('\n') ?? ''),
        ]);
      return [relative(REPOSITORY, name), ...(tests.length > 0 ? tests : firstLines(message))].join('\n');
    });
  return [...checks.map((title) => `the check of ${title}`), ...suites].join('\n');
}

/** Returns the summary that is printed as the last line: the sums of the counts. */
export function formatSummary(counts: readonly Count[]): string {
  const sum = (pick: (count: Count) => number) => counts.reduce((total, count) => total + pick(count), 0);
  return `${sum(({ passed }) => passed)} passed, ${sum(({ failed }) => failed)} failed`;
}

/**
 * Separates `--target cluster` from the arguments for Jest.
 *
 * @throws StartFailure if the target is neither `stack` nor `cluster`, or if it is `cluster` and no suites are named: some suites can't run
 *   on a cluster, because they stop a service by the name that its process has in a stack only
 */
export function parseTestArguments(args: readonly string[]): {
  readonly target: 'stack' | 'cluster';
  readonly jestArgs: readonly string[];
} {
  const index = args.indexOf('--target');
  if (index === -1) return { target: 'stack', jestArgs: args };
  const target = args[index + 1];
  const jestArgs = args.filter((_, position) => position !== index && position !== index + 1);
  if ((target !== 'stack' && target !== 'cluster') || (target === 'cluster' && jestArgs.length === 0)) {
    throw new StartFailure(
      'Use "--target stack", or "--target cluster" with the suites to run, for example: npm test -- --target cluster test/contract',
    );
  }
  return { target, jestArgs };
}

/** Runs all checks and test suites, prints the summary as the last line, and sets the exit code. */
export async function runTests(size: 'ci' | 'soak', args: readonly string[]): Promise<void> {
  let target: 'stack' | 'cluster';
  let jestArgs: readonly string[];
  try {
    ({ target, jestArgs } = parseTestArguments(args));
    await prepareServers();
  } catch (error) {
    if (!(error instanceof StartFailure)) throw error;
    process.stderr.write(`\n${error.message}\n`);
    process.stdout.write(`\n${formatSummary([{ passed: 0, failed: 1 }])}\n`);
    process.exitCode = 1;
    return;
  }
  const counts: Count[] = [];
  const failedChecks: string[] = [];
  if (size === 'ci') {
    announce('types, lint, imports, words, unused code and dependencies');
    const checks = await Promise.all([
      check('types', 'tsc', ['--noEmit', '-p', '.']),
      check('lint', 'biome', ['check', '.']),
      check('awaited statements', 'oxlint', ['--type-aware']),
      check('imports', 'depcruise', SOURCE_FOLDERS),
      check('words', 'cspell', ['lint', '--no-progress']),
      check('unused code and dependencies', 'knip', []),
    ]);
    counts.push(...checks);
    failedChecks.push(...checks.filter(({ failed }) => failed > 0).map(({ title }) => title));
  }
  const env = {
    ...process.env,
    ...(size === 'soak' ? { SOAK: '1' } : {}),
    ...(target === 'cluster' ? { CARECOVER_TEST_TARGET: 'cluster' } : {}),
  };
  announce('suites');
  const inOneProcess = (args: readonly string[], niceness = 0) =>
    jest(['--maxWorkers=1', `--workerIdleMemoryLimit=${WORKER_LIMIT}`, ...args], env, niceness);
  const runs: JestRun[] = [];
  if (size === 'ci' && jestArgs.length === 0) {
    const ignored = ['/node_modules/', MEASURING].map((pattern) => `--testPathIgnorePatterns=${pattern}`);
    const groups = GROUPS.map(({ folders, niceness }) =>
      inOneProcess([suitesIn(folders), ...ignored], niceness),
    );
    runs.push(...(await Promise.all(groups)), await inOneProcess([MEASURING]));
  } else {
    runs.push(await inOneProcess(jestArgs));
  }
  const testResults = runs.flatMap((each) => each.testResults);
  announce('the suites that took longest');
  process.stdout.write(`${formatSlowest(testResults)}\n`);
  const failures = formatFailures(failedChecks, testResults);
  if (failures !== '') {
    announce('what failed');
    process.stdout.write(`${failures}\n`);
  }
  counts.push(...runs.map(({ count }) => count));
  process.stdout.write(`\n${formatSummary(counts)}\n`);
  process.exitCode = counts.some(({ failed }) => failed > 0) ? 1 : 0;
}

/**
 * Finds, downloads or builds the executables of the servers and of the check tools before a suite needs them.
 *
 * @throws StartFailure if that fails
 */
async function prepareServers(): Promise<void> {
  await ensureSpace(tmpdir(), RUN_BYTES, 'run the tests');
  // The executable that is built fastest is prepared first, so that a missing build tool is reported before the long builds.
  await temporalTestServerExecutable();
  await Promise.all([
    natsExecutable(),
    temporalExecutable(),
    actionlintExecutable(),
    oasdiffExecutable(),
    helmExecutable(),
    linearizabilityChecker(),
  ]);
}

async function check(
  title: string,
  program: string,
  args: readonly string[],
): Promise<Count & { readonly title: string }> {
  const { exitCode } = run(join(REPOSITORY, 'node_modules/.bin', program), args, process.env);
  if ((await exitCode) === 0) return { title, passed: 1, failed: 0 };
  process.stderr.write(`The check of ${title} failed.\n`);
  return { title, passed: 0, failed: 1 };
}

interface JestRun extends Pick<JestReport, 'testResults'> {
  readonly count: Count;
}

async function jest(args: readonly string[], env: NodeJS.ProcessEnv, niceness: number): Promise<JestRun> {
  const folder = await mkdtemp(join(tmpdir(), 'carecover-report-'));
  const report = join(folder, 'report.json');
  try {
    const jestArgs = ['--json', '--outputFile', report, '--passWithNoTests', ...args];
    const endsByItself = await runJest(report, jestArgs, env, niceness);
    const results = JSON.parse(await readFile(report, 'utf8')) as JestReport;
    const count = countReport(results);
    const { testResults } = results;
    return { testResults, count: endsByItself ? count : { ...count, failed: count.failed + 1 } };
  } catch (error) {
    process.stderr.write(`jest wrote no report: ${error instanceof Error ? error.message : error}\n`);
    return { testResults: [], count: { passed: 0, failed: 1 } };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function announce(title: string): void {
  process.stdout.write(`\n── ${title}\n`);
}

/**
 * Runs Jest, and kills it if it still runs a minute after its report. Returns whether Jest ended without being killed. A suite that
 * leaves a connection, timer or process open keeps Jest running; `npx jest --detectOpenHandles` names it.
 */
async function runJest(
  report: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  niceness: number,
): Promise<boolean> {
  const jest = [
    '--disable-warning=ExperimentalWarning',
    join(REPOSITORY, 'node_modules/jest/bin/jest.js'),
    ...args,
  ];
  const program = run(process.execPath, jest, env, niceness);
  const isRunning = async (ms: number) =>
    (await Promise.race([program.exitCode, sleep(ms, 'running', { ref: false })])) === 'running';
  while ((await isRunning(1_000)) && !existsSync(report));
  if (!(await isRunning(EXIT_MS))) return true;
  process.stderr.write('jest does not end: a suite leaves something open (--detectOpenHandles)\n');
  program.kill();
  await program.exitCode;
  return false;
}

/** Runs a program with all its children at a priority, and forwards SIGINT and SIGTERM of this process to it. */
function run(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  niceness = 0,
): { exitCode: Promise<number>; kill: () => void } {
  const child = spawn(program, args, { cwd: REPOSITORY, env, stdio: ['ignore', 'inherit', 'inherit'] });
  if (child.pid !== undefined && niceness > 0) setPriority(child.pid, niceness);
  const forward = (signal: NodeJS.Signals) => child.kill(signal);
  process.on('SIGINT', forward).on('SIGTERM', forward);
  const exitCode = new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      process.off('SIGINT', forward).off('SIGTERM', forward);
      if (signal === 'SIGINT' || signal === 'SIGTERM') process.exit(130);
      resolve(code ?? 1);
    });
  });
  return { exitCode, kill: () => void child.kill('SIGKILL') };
}
