/**
 * Prepares a clone of the repository and runs a command: checks the machine, installs the dependencies of the lock file, builds, and
 * loads the built code. Completed steps are skipped. This file is plain JavaScript, because it must run with only Node.js and npm.
 *
 * Usage: node deploy/bootstrap.mjs start|journey|cluster|test|soak|bench [arguments]
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const LOCK_FILE = join(ROOT, 'package-lock.json');
const MODULES = join(ROOT, 'node_modules');
/** The file that contains the hash of the lock file for which the dependencies were installed. */
const STAMP = join(MODULES, '.carecover-lock');
const INSTALL_BYTES = 1.5e9;
/** The error codes in npm's output if npm can't reach the registry. */
const NETWORK_ERROR =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT|ENOTCACHED)\b/;
const COMMANDS = ['start', 'journey', 'cluster', 'test', 'soak', 'bench'];

const require = createRequire(import.meta.url);

/** An error that the user can fix; its message is shown without a stack trace. */
class StartFailure extends Error {}

async function bootstrap([command, ...args]) {
  if (!COMMANDS.includes(command)) throw new StartFailure(`Unknown command: one of ${COMMANDS.join(', ')}.`);
  checkMachine();
  process.chdir(ROOT);
  const { waitForLock } = require('./local/process/lock.cjs');
  const lock = await waitForLock(join(ROOT, '.carecover/bootstrap.lock'), (holder) =>
    process.stderr.write(`… waiting for process ${holder}, which is installing or building here\n`),
  );
  try {
    await installDependencies();
    await build();
  } finally {
    lock.release();
  }
  if (command === 'bench') return await require('../test/bench/dist/main.js').runBenchmarks(args);
  const local = require('./local/dist/index.js');
  if (['start', 'journey', 'cluster'].includes(command)) await local.main(command, args);
  else await local.runTests(command === 'soak' ? 'soak' : 'ci', args);
}

function checkMachine() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    throw new StartFailure(
      `Node ${process.versions.node} is too old: Carecover needs Node 20.19 or newer, best 24 LTS.`,
    );
  }
  if (process.platform === 'win32') {
    throw new StartFailure('Carecover runs on Linux and macOS; on Windows, use it inside WSL.');
  }
}

async function installDependencies() {
  const stamp = createHash('sha256').update(readFileSync(LOCK_FILE)).digest('hex');
  if (existsSync(STAMP) ? readFileSync(STAMP, 'utf8') === stamp : isInstalledByNpm()) return;
  const { bavail, bsize } = statfsSync(ROOT);
  if (bavail * bsize < INSTALL_BYTES) {
    throw new StartFailure(
      `Too little free disk space: 1.5 GB is needed to install the dependencies in ${ROOT}, and ${Math.floor((bavail * bsize) / 1e6)} MB is free.`,
    );
  }
  // The stamp file is deleted before the installation, so that an interrupted installation does not count as complete.
  rmSync(STAMP, { force: true });
  const npm =
    process.env.npm_execpath?.endsWith('npm-cli.js') === true
      ? [process.execPath, process.env.npm_execpath]
      : ['npm'];
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  // npm's default pauses between retries, of 10 and 60 seconds, would only delay the error message.
  const settings = {
    npm_config_fetch_retries: '4',
    npm_config_fetch_retry_mintimeout: '1000',
    npm_config_fetch_retry_factor: '2',
  };
  await run('installing the dependencies', [...npm, ...args], settings, (output) => {
    const [code] = NETWORK_ERROR.exec(output) ?? [];
    if (code === undefined) return undefined;
    return `The dependencies of package-lock.json are missing in ${ROOT}, and the npm registry can't be reached (${code}): connect this machine to the network for the first start.`;
  });
  mkdirSync(MODULES, { recursive: true });
  writeFileSync(STAMP, stamp);
}

/**
 * Returns whether the packages of the lock file are installed, for example because the user ran `npm ci`. npm's record of installed
 * packages is complete, because npm writes it last.
 */
function isInstalledByNpm() {
  const record = join(MODULES, '.package-lock.json');
  if (!existsSync(record)) return false;
  const [installed, wanted] = [record, LOCK_FILE].map(
    (file) => JSON.parse(readFileSync(file, 'utf8')).packages,
  );
  return Object.entries(wanted).every(
    ([path, { version, optional, devOptional, peer, link }]) =>
      !path.includes('node_modules/') ||
      link === true ||
      installed[path]?.version === version ||
      // A missing optional package is no fault, because npm installs it only if it supports this platform.
      (installed[path] === undefined && (optional === true || devOptional === true || peer === true)),
  );
}

async function build() {
  await run(
    'building',
    [join(MODULES, '.bin/turbo'), 'run', 'build', '--output-logs=errors-only', '--no-update-notifier'],
    { TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1' },
  );
}

/**
 * Runs a program, and shows its output only if it fails. `settings` are environment variables for the program. A variable of the same name
 * in the user's environment overrides them.
 *
 * @param explain receives the output and returns the error message for the user; if it returns undefined, the output is the message
 */
function run(title, [program, ...args], settings, explain = () => undefined) {
  const { showProgress } = require('./local/process/progress.cjs');
  return showProgress(
    title,
    () =>
      new Promise((resolve, reject) => {
        const tool = spawn(program, args, {
          cwd: ROOT,
          env: { ...settings, ...process.env },
          stdio: ['ignore', 'pipe', 'pipe'],
        });
        let output = '';
        tool.stdout.on('data', (chunk) => (output += chunk));
        tool.stderr.on('data', (chunk) => (output += chunk));
        const interrupt = () => {
          tool.kill();
          process.exit(130);
        };
        process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
        const finish = (failure) => {
          process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
          if (failure === undefined) resolve();
          else reject(new StartFailure(failure));
        };
        tool.once('error', (error) => finish(`${program} can't be run: ${error.message}`));
        tool.once('close', (code) => {
          if (code === 0) return finish();
          finish(
            explain(output) ??
              `${output.trim()}\n\nFailed while ${title} (code ${code}); see the output above.`,
          );
        });
      }),
  );
}

// A command continues although its output can't be written, because the file's disk is full or the reader of a pipe has ended: a stack must
// not stop then. Its exit code says that the output is incomplete.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', () => {
    process.exitCode = 1;
  });
}

try {
  await bootstrap(process.argv.slice(2));
} catch (error) {
  const canBeFixed = error instanceof StartFailure || error.code === 'ENOSPC';
  process.stderr.write(`${canBeFixed ? error.message : error.stack}\n`);
  process.exitCode = 1;
}
