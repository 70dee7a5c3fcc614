/**
 * Runs the example receivers of docs/guides/webhooks.md in a folder with the built client, except those in Python and Go, which test/python and
 * test/go run.
 */
import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describeReceiver } from '@carecover/testing/stack';
import { ROOT } from './pages';

const folder = mkdtempSync(join(tmpdir(), 'carecover-receivers-'));

// Installs the frameworks and the client. The client is compiled from its sources, so that the test needs no build.
beforeAll(async () => {
  const modules = join(folder, 'node_modules');
  const client = join(modules, '@carecover/client');
  mkdirSync(client, { recursive: true });
  await promisify(execFile)(join(ROOT, 'node_modules/.bin/tsc'), [
    ...['-p', join(ROOT, 'libs/client/tsconfig.build.json'), '--outDir', client],
  ]);
  writeFileSync(join(client, 'package.json'), JSON.stringify({ type: 'module', exports: './index.js' }));
  for (const name of ['express', 'fastify', 'koa'])
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
});
afterAll(() => rmSync(folder, { recursive: true }));

for (const name of ['express.mjs', 'fastify.mjs', 'koa.mjs', 'node.mjs']) {
  describeReceiver(name, async () => {
    const file = join(folder, name);
    copyFileSync(join(ROOT, 'docs/guides/receivers', name), file);
    return { command: process.execPath, args: [file], env: { PATH: process.env.PATH } };
  });
}
