import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartFailure } from './failure';
import { closeContentToOthers, ensurePrivateFolder } from './private-folder';

let folder: string;
let umask: number;

beforeEach(async () => {
  umask = process.umask();
  folder = await mkdtemp(join(tmpdir(), 'carecover-folder-'));
});
afterEach(async () => {
  process.umask(umask);
  await rm(folder, { recursive: true });
});

const ensure = () => ensurePrivateFolder({ folder } as Parameters<typeof ensurePrivateFolder>[0]);

test.each(['bundles', 'workflows-a1b2', 'cluster'])(
  'a stack can start in a folder in which another command has created only %s',
  async (name) => {
    await mkdir(join(folder, name));
    expect(ensure).not.toThrow();
  },
);

test('a stack does not start in a folder that contains only other files', async () => {
  await writeFile(join(folder, 'letter.txt'), 'text');
  expect(ensure).toThrow(StartFailure);
});

test('files and folders that another process deletes meanwhile are ignored', async () => {
  const other = spawn(
    process.execPath,
    [
      '-e',
      `const { mkdirSync, rmSync, writeFileSync } = require('node:fs');
       process.stdout.write('started');
       for (;;) {
         mkdirSync('folder');
         for (let file = 0; file < 20; file += 1) writeFileSync('folder/' + file, '');
         rmSync('folder', { recursive: true });
       }`,
    ],
    { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  await once(other.stdout, 'data');
  try {
    for (let pass = 0; pass < 2_000; pass += 1) closeContentToOthers(folder);
  } finally {
    const ended = once(other, 'exit');
    other.kill('SIGKILL');
    await ended;
  }
});
