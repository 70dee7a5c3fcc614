import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
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

/**
 * Runs the code `script`, which uses a logger `log`, in another process, and returns what it wrote. The process continues to run unless
 * `script` ends it.
 */
function linesOf(script: string) {
  const child = spawn(
    process.execPath,
    [
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
    ],
    { cwd: __dirname, stdio: ['ignore', 'pipe', 'inherit'] },
  );
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
