import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@carecover/testing/servers';
import { WARNING_LEVEL } from './buffered-output';
import { createLog } from './log';

test("the database's detail of an error, which can contain a member's reference, is not logged", () => {
  const lines: string[] = [];
  const log = createLog('benefits', 'info', { write: (line) => lines.push(line) });
  const violation = Object.assign(new Error('a check was violated'), {
    code: '23514',
    detail: 'Failing row contains (con_1, member-77).',
  });
  log.error({ err: violation }, 'internal error');
  expect(lines.join('')).toContain('23514');
  expect(lines.join('')).not.toContain('member-77');
});

test('an error is logged with its message and stack, under both of its names', () => {
  const lines: string[] = [];
  const log = createLog('benefits', 'info', { write: (line) => lines.push(line) });
  const error = Object.assign(new Error('the step failed'), { detail: 'member-77' });
  log.warn({ error }, 'Activity failed');
  expect(JSON.parse(lines.join('')).error).toMatchObject({
    message: 'the step failed',
    stack: expect.stringContaining('log.test'),
    detail: '[redacted]',
  });
});

/** Returns the arguments with which Node.js runs the code `script`, which uses a logger `log`. */
function programOf(script: string): string[] {
  return [
    '--disable-warning=ExperimentalWarning',
    '-e',
    `const { transformFileSync } = require('@swc/core');
       const load = (file) => {
         const module_ = { exports: {} };
         const { code } = transformFileSync(file, { module: { type: 'commonjs' } });
         const requireFrom = (name) => (name.startsWith('./') ? load(${JSON.stringify(`${__dirname}/`)} + name + '.ts') : require(name));
         new Function('exports', 'require', 'module', code)(module_.exports, requireFrom, module_);
         return module_.exports;
       };
       const log = load(${JSON.stringify(join(__dirname, 'log.ts'))}).createLog('test');
       ${script}`,
  ];
}

/**
 * Runs `script`, see {@link programOf}, in another process, and returns what it wrote. The process continues to run unless `script` ends
 * it.
 */
function linesOf(script: string) {
  const child = spawn(process.execPath, programOf(script), {
    cwd: __dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += chunk;
  });
  return { child, text: () => text };
}

test('an information line is written after the flush interval, and a warning at once with all lines before it', async () => {
  const { child, text } = linesOf("log.info('first'); setInterval(() => {}, 1_000);");
  while (!text().includes('first')) await once(child.stdout, 'data');
  child.kill('SIGKILL');
  const warned = linesOf("log.info('before'); log.warn('careful'); process.kill(process.pid, 'SIGKILL');");
  await once(warned.child, 'close');
  expect(warned.text()).toMatch(/before.*careful/s);
});

test('all lines are written when the process exits', async () => {
  const { child, text } = linesOf("for (let i = 0; i < 1000; i++) log.info({ i }, 'line'); process.exit(0);");
  await once(child, 'close');
  expect(text().trim().split('\n')).toHaveLength(1_000);
});

test('a line that is too long is lost, and the next ones are written', async () => {
  const script = "log.info('x'.repeat(2_000_000)); log.info('next'); setTimeout(() => process.exit(0), 500);";
  const { child, text } = linesOf(script);
  await once(child, 'close');
  const lines = text()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines).toMatchObject([{ msg: 'next' }, { lost_lines: 1, reason: 'a line is too long' }]);
});

test('an error is logged whose properties contain cycles or values that JSON does not have', () => {
  const lines: string[] = [];
  const log = createLog('test', 'info', { write: (line: string) => void lines.push(line) });
  const certificate: Record<string, unknown> = { size: 1n };
  certificate.issuerCertificate = certificate;
  log.error(
    { err: Object.assign(new Error('the name does not match'), { cert: certificate }) },
    'internal error',
  );
  expect(JSON.parse(lines[0] ?? '').err).toMatchObject({
    message: 'the name does not match',
    cert: { size: '1', issuerCertificate: '[repeated]' },
  });
});

/** More lines than the file and the memory of the log hold, at sixty bytes and more each. */
const MANY_LINES = 40_000;

/**
 * Runs a program whose output is a file that can't become larger than `limitBytes`: writes beyond it fail as on a full disk, the first one
 * after it wrote a part of the text. The program writes lines of both kinds, those that are buffered and those that are written at once,
 * sends a message after half a second and another one when it has written {@link MANY_LINES}, and ends when it receives SIGTERM. At its end,
 * the file and the process are removed.
 */
async function withLimitedOutput(
  limitBytes: number,
  usedBytes: number,
  work: (child: ChildProcess, file: string) => Promise<void>,
): Promise<void> {
  const script = `
    let number = 0;
    setInterval(() => {
      for (let line = 0; line < 100; line++) log.info({ number: number++ }, 'a line');
      log.warn({ number: number++ }, 'a warning');
      if (number >= ${MANY_LINES} && number < ${MANY_LINES} + 101) process.send('has written many lines');
    }, 5);
    setTimeout(() => process.send('runs'), 500);
    process.on('SIGTERM', () => process.exit(0));`;
  const folder = mkdtempSync(join(tmpdir(), 'carecover-log-'));
  const file = join(folder, 'log');
  const output = openSync(file, 'a');
  truncateSync(file, usedBytes);
  const limited = ['-c', `ulimit -S -f ${limitBytes / 1024}; exec "$0" "$@"`, process.execPath];
  const child = spawn('bash', [...limited, ...programOf(script)], {
    cwd: __dirname,
    stdio: ['ignore', output, 'inherit', 'ipc'],
  });
  try {
    await work(child, file);
  } finally {
    child.kill('SIGKILL');
    closeSync(output);
    rmSync(folder, { recursive: true });
  }
}

test('a process whose output can not be written continues to run, and ends when it is stopped', async () => {
  await withLimitedOutput(0, 0, async (child) => {
    const timeout = { signal: AbortSignal.timeout(30_000) };
    expect(await once(child, 'message', timeout)).toEqual(['runs', undefined]);
    child.kill('SIGTERM');
    expect(await once(child, 'exit', timeout)).toEqual([0, null]);
  });
});

test('after an outage of the output the lines are written again, and one line says how many were lost', async () => {
  const limitBytes = 64 * 1024 * 1024;
  const usedBytes = limitBytes - 65_000;
  await withLimitedOutput(limitBytes, usedBytes, async (child, file) => {
    const hasLost = new Promise((resolve) => {
      child.on('message', (text) => text === 'has written many lines' && resolve(text));
    });
    await eventually('the file is full', async () => statSync(file).size === limitBytes);
    const before = readFileSync(file, 'utf8').slice(usedBytes);
    await hasLost;
    expect([child.exitCode, statSync(file).size]).toEqual([null, limitBytes]);
    truncateSync(file);
    await eventually('lines are written again', async () =>
      readFileSync(file, 'utf8').includes('lost_lines'),
    );
    child.kill('SIGTERM');
    await once(child, 'exit');
    const lines = `${before}${readFileSync(file, 'utf8')}`
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const [report, ...others] = lines.filter(({ lost_lines }) => lost_lines !== undefined);
    expect(report).toMatchObject({
      level: WARNING_LEVEL,
      service: 'test',
      msg: 'the log can be written again',
      reason: expect.stringContaining('EFBIG'),
    });
    expect(others).toEqual([]);
    const numbers = lines.flatMap(({ number }) => number ?? []);
    expect(report.lost_lines).toBeGreaterThan(0);
    expect(numbers.length + report.lost_lines).toBe(numbers.at(-1) + 1);
  });
});
