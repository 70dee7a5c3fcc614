import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startTestStack, type TestStack } from '@carecover/local/testing';
import { ROOT } from './pages';

let stack: TestStack;

beforeAll(async () => {
  stack = await startTestStack();
}, 180_000);
afterAll(() => stack?.stop(), 60_000);

test('the quick start results in a settled claim and a received webhook', async () => {
  const { base_url, secret_key, ca_certificate } = stack.stack.file;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(ROOT, 'docs/guides/quick-start.mjs')],
    {
      cwd: ROOT,
      env: {
        PATH: process.env.PATH,
        CARECOVER_URL: base_url,
        CARECOVER_KEY: secret_key,
        NODE_EXTRA_CA_CERTS: ca_certificate,
      },
    },
  );
  expect(stdout).toMatch(/^eligible \[ 'eligible' \] 6 sessions remain$/m);
  expect(stdout).toMatch(/^pre-authorization approved$/m);
  expect(stdout).toMatch(/^claim submitted$/m);
  expect(stdout).toMatch(/^received claim\.settled \{.*settled: 300000.*\}$/ms);
});
