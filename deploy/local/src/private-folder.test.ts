import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartFailure } from './failure';
import { homePaths } from './home';
import { closeContentToOthers, ensurePrivateFolder, markStackFolder } from './private-folder';

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

const ensure = () => ensurePrivateFolder(homePaths(folder));

test.each(['bundles', 'workflows-a1b2', 'cluster', 'bootstrap.lock', 'screenshots'])(
  'a stack can start in a folder in which another command has created only %s',
  async (name) => {
    await mkdir(join(folder, name));
    expect(ensure).not.toThrow();
  },
);

test.each([
  ['other files beside a name that a stack has', ['logs', 'letter.txt']],
  ['a name that only starts as one of a stack', ['nats-notes']],
  ["another program's data of PostgreSQL", ['postgresql', 'logs']],
])('a stack does not start in a folder with %s', async (_, names) => {
  await chmod(folder, 0o755);
  for (const name of names) await mkdir(join(folder, name));
  expect(ensure).toThrow(StartFailure);
  expect(ensure).toThrow('set CARECOVER_HOME to a new or empty folder');
  expect((await stat(folder)).mode & 0o777).toBe(0o755);
});

test('a stack of an earlier release, without the marker, starts in its folder', async () => {
  const names = [
    'journey.done',
    'logs',
    'nats',
    'ports.json',
    'postgresql',
    'project.json',
    'temporal',
    'tls',
  ];
  const ofCluster = ['control.json', 'nats-1', 'postgresql-2.unfinished', 'postgresql.primary', 'releases'];
  for (const name of [...names, ...ofCluster, 'secrets.json', 'stack.json.next', 'processes.json'])
    await mkdir(join(folder, name));
  expect(ensure).not.toThrow();
});

test("a user's files do not prevent the next start in the folder of a stack", async () => {
  markStackFolder(homePaths(folder));
  await writeFile(join(folder, 'letter.txt'), 'text');
  expect(ensure).not.toThrow();
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
