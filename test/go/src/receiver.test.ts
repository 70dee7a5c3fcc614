/** Runs the example receiver in Go of docs/guides/webhooks.md. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeReceiver } from '@carecover/testing/stack';
import { go, hasGo } from './tools';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'carecover-receiver-'));
});
afterAll(() => rm(folder, { recursive: true }));

describeReceiver('go.go', async () => {
  if (!(await hasGo())) return null;
  const program = join(folder, 'receiver');
  await go(['build', '-o', program, '../../docs/guides/receivers/go.go']);
  return { command: program, args: [], env: {} };
});
