/** Runs the cases of caller_input.py, which need no service. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repositoryRoot } from '@carecover/setup/repository';
import { CLIENT, pythonTools } from './tools';

// The first run installs the tools.
jest.setTimeout(300_000);

test("the Python client rejects a caller's invalid input at once, prints no secret, and finds its proxy", async () => {
  const env = await pythonTools();
  if (env === null) return;
  const program = join(repositoryRoot(), 'test/python/src/caller_input.py');
  const { stdout } = await promisify(execFile)('python', ['-W', 'error', program], {
    env: { ...env, PYTHONPATH: CLIENT },
  });
  expect(stdout).toBe('ok\n');
});
