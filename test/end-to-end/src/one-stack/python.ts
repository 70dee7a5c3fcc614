/** Runs the quick start in Python, the program of the Python client's README, and the cases of retry_and_verify.py, against a stack. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repositoryRoot } from '@carecover/setup/repository';
import { Webhook } from 'standardwebhooks';
import { CLIENT, pythonTools } from '../../../python/src/tools';
import { running } from './world';

const run = promisify(execFile);
const SECRET = `whsec_${Buffer.from('a secret of twenty-four b').toString('base64')}`;

let env: NodeJS.ProcessEnv | null;
let folder: string;

// The hook has a long timeout, because the first run on a machine also installs the Python tools.
beforeAll(async () => {
  env = await pythonTools();
  folder = await mkdtemp(join(tmpdir(), 'carecover-python-'));
  if (env === null) return;
  const { base_url, secret_key, ca_certificate } = running.stack.file;
  env = {
    ...env,
    PYTHONPATH: CLIENT,
    CARECOVER_URL: base_url,
    CARECOVER_KEY: secret_key,
    SSL_CERT_FILE: ca_certificate,
  };
}, 300_000);
afterAll(async () => {
  await rm(folder, { recursive: true });
});

async function python(program: string): Promise<string> {
  const file = join(folder, 'program.py');
  await writeFile(file, program);
  const { stdout } = await run('python', ['-W', 'error', file], { env: env ?? {} });
  return stdout;
}

/** Checks the types of the program that was run last, with mypy. @throws Error with the problems that mypy found */
async function checkTypes(): Promise<void> {
  const options = ['--strict', '--follow-imports=silent', '--cache-dir=/dev/null'];
  await run('python', ['-m', 'mypy', ...options, join(folder, 'program.py')], { env: env ?? {} });
}

test("the README's program runs unchanged and has valid types", async () => {
  if (env === null) return;
  const readme = readFileSync(join(CLIENT, 'README.md'), 'utf8');
  const program = [...readme.matchAll(/```python\n([\s\S]*?)```/g)].map((match) => match[1]).join('\n');
  expect(await python(program)).toMatch(
    /^booking \w+\nread bkg_\w+\n(listed bkg_\w+\n)+not found: resource_not_found [\w-]+\n$/,
  );
  await checkTypes();
  const body = '{ "id": "evt_1", "type": "claim.settled", "data": { "id": "clm_9" } }';
  const headers = {
    'Webhook-Id': 'evt_1',
    'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
    'webhook-signature': `v1,bm90IGl0 ${new Webhook(SECRET).sign('evt_1', new Date(), body)}`,
  };
  const calls = [body, `${body} `, '{}'].map(
    (text) => `print(receive(${JSON.stringify(text)}.encode(), ${JSON.stringify(headers)}, "${SECRET}"))`,
  );
  expect(await python(`${program}\n${calls.join('\n')}`)).toMatch(/clm_9\n204\n400\n400\n$/);
});

test('the attempts of a write have one idempotency key and one effect, and a webhook outside the tolerance is rejected', async () => {
  if (env === null) return;
  const cases = readFileSync(join(repositoryRoot(), 'test/python/src/retry_and_verify.py'), 'utf8');
  expect(await python(cases)).toBe('ok\n');
});

test('the quick start results in a settled claim, a received webhook and two valuations that differ, and has valid types', async () => {
  if (env === null) return;
  const program = readFileSync(join(repositoryRoot(), 'docs/guides/quick-start.py'), 'utf8');
  expect(await python(program)).toMatch(
    new RegExp(
      [
        '^eligible eligible 6 sessions remain',
        'pre-authorization approved',
        'claim clm_\\w+ submitted',
        "received claim\\.settled .*'settled': 300000\\}",
        'valued at \\S+ partially_approved remitted 0 settled 0 outstanding 300000',
        'valued at \\S+ settled remitted 300000 settled 300000 outstanding 0\n$',
      ].join('\n'),
    ),
  );
  await checkTypes();
});

test('the year of the guide about test clocks is that of the golden file that the program in TypeScript has too', async () => {
  if (env === null) return;
  const guides = join(repositoryRoot(), 'docs/guides');
  await copyFile(join(guides, 'test-clocks.golden.txt'), join(folder, 'test-clocks.golden.txt'));
  const program = readFileSync(join(guides, 'test-clocks.py'), 'utf8');
  expect(await python(program)).toMatch(/\nthe same as the golden file\n$/);
  await checkTypes();
});
