/** Runs the example receiver in Python of docs/guides/webhooks.md, and checks its types. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repositoryRoot } from '@carecover/setup/repository';
import { describeReceiver } from '@carecover/testing/stack';
import { CLIENT, pythonTools } from './tools';

const file = join(repositoryRoot(), 'docs/guides/receivers/python.py');

describeReceiver('python.py', async () => {
  const tools = await pythonTools();
  if (tools === null) return null;
  const env = { ...tools, PYTHONPATH: CLIENT };
  const options = ['--strict', '--follow-imports=silent', '--cache-dir=/dev/null'];
  await promisify(execFile)('python', ['-m', 'mypy', ...options, file], { env });
  return { command: 'python', args: ['-W', 'error', file], env };
});
