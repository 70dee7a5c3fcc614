/** Runs the cases of natural_calls.py, which need no service, and compares the groups of the Python client with those of the client for TypeScript. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Carecover } from '@carecover/client';
import { repositoryRoot } from '@carecover/setup/repository';
import { CLIENT, pythonTools } from './tools';

const run = promisify(execFile);

// The first run installs the tools.
jest.setTimeout(300_000);

test('the Python client takes dictionaries, strings and models, reads values that it does not know, and has typed groups', async () => {
  const tools = await pythonTools();
  if (tools === null) return;
  const env = { ...tools, PYTHONPATH: CLIENT };
  const program = join(repositoryRoot(), 'test/python/src/natural_calls.py');
  const { stdout } = await run('python', ['-W', 'error', program], { env });
  expect(stdout).toBe('ok\n');
  const options = ['--strict', '--follow-imports=silent', '--cache-dir=/dev/null'];
  await run('python', ['-m', 'mypy', ...options, program], { env });
});

const toSnakeCase = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

test('the Python client has the groups and methods of the client for TypeScript', async () => {
  const tools = await pythonTools();
  if (tools === null) return;
  const client = new Carecover({ apiKey: 'sk_test_key', baseUrl: 'http://localhost/v1' });
  const expected = Object.entries(client)
    .filter(([, group]) => group !== client.transport)
    .flatMap(([group, methods]) => Object.keys(methods).map((method) => `${group}.${method}`))
    .map(toSnakeCase);
  const print = [
    'from carecover import Carecover',
    'client = Carecover("http://localhost/v1", "sk_test_key")',
    'groups = [name for name, value in vars(Carecover).items() if isinstance(value, property)]',
    'for group in groups:',
    '    for name in vars(type(getattr(client, group))):',
    '        if not name.startswith("_"): print(f"{group}.{name}")',
  ].join('\n');
  const { stdout } = await run('python', ['-c', print], { env: { ...tools, PYTHONPATH: CLIENT } });
  expect(stdout.trim().split('\n').sort()).toEqual(expected.sort());
});
