Object.defineProperty(exports, '__esModule', { value: true });
exports.countReport = countReport;
exports.summary = summary;
exports.runTests = runTests;
/**
 * `npm test` and `npm run soak`: types, lint and every suite, counted together. Suites that cross services come after the
 * others and one at a time, since each of them fills the machine by itself.
 */
const node_child_process_1 = require('node:child_process');
const promises_1 = require('node:fs/promises');
const node_os_1 = require('node:os');
const node_path_1 = require('node:path');
const home_1 = require('./home');
const CROSSING = 'test';
const FOLDERS = ['libs', 'services', 'workflows', 'deploy'];
const inRepository = (folder) => (0, node_path_1.join)(home_1.REPOSITORY, folder);
function countReport(report) {
  const failed = report.numFailedTests + report.numRuntimeErrorTestSuites;
  // A run can fail without a failing test, in its set-up or by a limit.
  return { passed: report.numPassedTests, failed: failed === 0 && !report.success ? 1 : failed };
}
function summary(counts) {
  const sum = (pick) => counts.reduce((total, count) => total + pick(count), 0);
  return `${sum(({ passed }) => passed)} passed, ${sum(({ failed }) => failed)} failed`;
}
/** Runs everything, prints the summary as the last line, and sets the exit code. */
async function runTests(size, jestArgs) {
  const counts = [];
  if (size === 'ci') {
    counts.push(await check('types', 'tsc', ['--noEmit', '-p', '.']));
    counts.push(await check('lint', 'biome', ['check', '.']));
  }
  const env = { ...process.env, CARECOVER_TEST_SIZE: size };
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
async function check(title, program, args) {
  announce(title);
  const code = await run(
    (0, node_path_1.join)(home_1.REPOSITORY, 'node_modules/.bin', program),
    args,
    process.env,
  );
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}
async function jest(title, args, env) {
  announce(title);
  const folder = await (0, promises_1.mkdtemp)(
    (0, node_path_1.join)((0, node_os_1.tmpdir)(), 'carecover-report-'),
  );
  const report = (0, node_path_1.join)(folder, 'report.json');
  try {
    await run(
      process.execPath,
      [
        '--disable-warning=ExperimentalWarning',
        (0, node_path_1.join)(home_1.REPOSITORY, 'node_modules/jest/bin/jest.js'),
        ...['--json', '--outputFile', report, '--passWithNoTests', '--forceExit'],
        ...args,
      ],
      env,
    );
    return countReport(JSON.parse(await (0, promises_1.readFile)(report, 'utf8')));
  } catch (error) {
    process.stderr.write(`jest left no report: ${error instanceof Error ? error.message : error}\n`);
    return { passed: 0, failed: 1 };
  } finally {
    await (0, promises_1.rm)(folder, { recursive: true, force: true });
  }
}
function announce(title) {
  process.stdout.write(`\n── ${title}\n`);
}
/** The program's exit code; a signal to us ends it too. */
function run(program, args, env) {
  return new Promise((resolve, reject) => {
    // With --json jest prints its report on standard output as well, which nobody reads.
    const child = (0, node_child_process_1.spawn)(program, args, {
      cwd: home_1.REPOSITORY,
      env,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    const forward = (signal) => child.kill(signal);
    process.on('SIGINT', forward).on('SIGTERM', forward);
    child.once('error', reject);
    child.once('close', (code, signal) => {
      process.off('SIGINT', forward).off('SIGTERM', forward);
      if (signal !== null) process.exit(130);
      resolve(code ?? 1);
    });
  });
}
