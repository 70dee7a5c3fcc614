/**
 * `npm test` and `npm run soak`: types, lint and every suite, counted together. Suites that cross services come after the
 * others and one at a time, since each of them fills the machine by itself.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureSpace, MEGABYTE } from './disk';
import { StartFailure } from './failure';
import { REPOSITORY } from './home';
import { natsExecutable, temporalExecutable, temporalTestServerExecutable } from './toolchain';

export interface Count {
  passed: number;
  failed: number;
}

/** The part of jest's JSON report that is counted. */
interface JestReport {
  numPassedTests: number;
  numFailedTests: number;
  /** Suites that could not even be run, and so have no failed test to count. */
  numRuntimeErrorTestSuites: number;
  success: boolean;
}

const RUN_BYTES = 500 * MEGABYTE;
const CROSSING = 'test';
const FOLDERS = ['libs', 'services', 'workflows', 'deploy'];
const inRepository = (folder: string) => join(REPOSITORY, folder);

export function countReport(report: JestReport): Count {
  const failed = report.numFailedTests + report.numRuntimeErrorTestSuites;
  // A run can fail without a failing test, in its set-up or by a limit.
  return { passed: report.numPassedTests, failed: failed === 0 && !report.success ? 1 : failed };
}

export function summary(counts: readonly Count[]): string {
  const sum = (pick: (count: Count) => number) => counts.reduce((total, count) => total + pick(count), 0);
  return `${sum(({ passed }) => passed)} passed, ${sum(({ failed }) => failed)} failed`;
}

/** Runs everything, prints the summary as the last line, and sets the exit code. */
export async function runTests(size: 'ci' | 'soak', jestArgs: readonly string[]): Promise<void> {
  if (!(await serversReady())) {
    process.stdout.write(`\n${summary([{ passed: 0, failed: 1 }])}\n`);
    process.exitCode = 1;
    return;
  }
  const counts: Count[] = [];
  if (size === 'ci') {
    counts.push(await check('types', 'tsc', ['--noEmit', '-p', '.']));
    counts.push(await check('lint', 'biome', ['check', '.']));
    counts.push(await check('words', 'cspell', ['lint', '--no-progress']));
    counts.push(await check('unused code and dependencies', 'knip', []));
  }
  const env = size === 'soak' ? { ...process.env, SOAK: '1' } : process.env;
  counts.push(
    await jest(
      'suites of each package',
      ['--maxWorkers=2', ...jestArgs, '--roots', ...FOLDERS.map(inRepository)],
      env,
    ),
  );
  counts.push(
    await jest(
      'suites across services',
      ['--runInBand', ...jestArgs, '--roots', inRepository(CROSSING)],
      env,
    ),
  );
  process.stdout.write(`\n${summary(counts)}\n`);
  process.exitCode = counts.some(({ failed }) => failed > 0) ? 1 : 0;
}

/** Finds or builds the servers before any suite waits for one; says what is missing where that can't be. */
async function serversReady(): Promise<boolean> {
  try {
    await ensureSpace(tmpdir(), RUN_BYTES, 'run the tests');
    // The quickest first, so that what is missing is known before the long builds.
    await temporalTestServerExecutable();
    await natsExecutable();
    await temporalExecutable();
    return true;
  } catch (error) {
    if (!(error instanceof StartFailure)) throw error;
    process.stderr.write(`\n${error.message}\n`);
    return false;
  }
}

async function check(title: string, program: string, args: readonly string[]): Promise<Count> {
  announce(title);
  const code = await run(join(REPOSITORY, 'node_modules/.bin', program), args, process.env);
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

async function jest(title: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<Count> {
  announce(title);
  const folder = await mkdtemp(join(tmpdir(), 'carecover-report-'));
  const report = join(folder, 'report.json');
  try {
    await run(
      process.execPath,
      [
        '--disable-warning=ExperimentalWarning',
        join(REPOSITORY, 'node_modules/jest/bin/jest.js'),
        ...['--json', '--outputFile', report, '--passWithNoTests', '--forceExit'],
        ...args,
      ],
      env,
    );
    return countReport(JSON.parse(await readFile(report, 'utf8')) as JestReport);
  } catch (error) {
    process.stderr.write(`jest left no report: ${error instanceof Error ? error.message : error}\n`);
    return { passed: 0, failed: 1 };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function announce(title: string): void {
  process.stdout.write(`\n── ${title}\n`);
}

/** The program's exit code; a signal to us ends it too. */
function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  return new Promise((resolve, reject) => {
    // With --json jest prints its report on standard output as well, which nobody reads.
    const child = spawn(program, args, { cwd: REPOSITORY, env, stdio: ['ignore', 'inherit', 'inherit'] });
    const forward = (signal: NodeJS.Signals) => child.kill(signal);
    process.on('SIGINT', forward).on('SIGTERM', forward);
    child.once('error', reject);
    child.once('close', (code, signal) => {
      process.off('SIGINT', forward).off('SIGTERM', forward);
      if (signal !== null) process.exit(130);
      resolve(code ?? 1);
    });
  });
}
