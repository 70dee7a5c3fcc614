/** Runs the webhook vectors of all clients with the Python client. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repositoryRoot } from '@carecover/setup/repository';
import { CLIENT, pythonTools } from './tools';

// The first run installs the tools.
jest.setTimeout(300_000);

test('the Python client verifies the webhooks that the other clients verify, and no others', async () => {
  const tools = await pythonTools();
  if (tools === null) return;
  const program = join(repositoryRoot(), 'test/python/src/webhook_vectors.py');
  const vectors = join(repositoryRoot(), 'libs/client/src/testing/webhook-vectors.json');
  const { stdout } = await promisify(execFile)('python', ['-W', 'error', program, vectors], {
    env: { ...tools, PYTHONPATH: CLIENT },
  });
  expect(stdout).toBe('ok\n');
});
