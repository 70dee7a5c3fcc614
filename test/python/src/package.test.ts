import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repositoryRoot } from '@carecover/setup/repository';
import { CLIENT, pythonTools } from './tools';

const run = promisify(execFile);

// The timeout is long enough for the first run on a machine, which also installs the Python tools.
jest.setTimeout(300_000);

test('the package of the Python client is valid, and contains only code, types and README', async () => {
  const env = await pythonTools();
  if (env === null) return;
  const folder = await mkdtemp(join(tmpdir(), 'carecover-package-'));
  const { version } = JSON.parse(await readFile(join(repositoryRoot(), 'package.json'), 'utf8'));
  try {
    await run('python', ['-m', 'build', '--no-isolation', '--outdir', folder, CLIENT], { env });
    const files = (await readdir(folder)).sort();
    expect(files).toEqual([`carecover-${version}-py3-none-any.whl`, `carecover-${version}.tar.gz`]);
    const paths = files.map((file) => join(folder, file));
    const { stdout } = await run('python', ['-m', 'twine', 'check', '--strict', ...paths], { env });
    expect(stdout.match(/PASSED/g)).toHaveLength(2);
    const { stdout: list } = await run('python', ['-m', 'zipfile', '-l', paths[0] ?? ''], { env });
    const names = list
      .split('\n')
      .slice(1)
      .flatMap((line) => /^\S+/.exec(line)?.[0] ?? []);
    const expected =
      /^carecover(\/(api|models)(\/\w+)?)?\/\w+\.py$|^carecover\/py\.typed$|^carecover-[\d.]+\.dist-info\/\w+$/;
    expect(names.filter((name) => !expected.test(name))).toEqual([]);
    expect(names).toContain('carecover/api/claims/create_claim.py');
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('the code of the Python client that is written by hand has valid types and passes its linter', async () => {
  const env = await pythonTools();
  if (env === null) return;
  const files = [
    '__init__',
    'caller_input',
    'client',
    'errors',
    'groups',
    'pagination',
    'proxy',
    'webhooks',
  ].map((name) => `carecover/${name}.py`);
  const check = (...args: string[]) =>
    run('python', ['-m', ...args, ...files], { env, cwd: CLIENT }).then(
      () => '',
      ({ stdout, stderr }) => `${stdout}${stderr}`,
    );
  expect(await check('ruff', 'check', '--no-cache')).toBe('');
  expect(await check('mypy', '--strict', '--follow-imports=silent', '--cache-dir=/dev/null')).toBe('');
});
