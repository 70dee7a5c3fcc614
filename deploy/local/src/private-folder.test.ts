import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartFailure } from './failure';
import { ensurePrivateFolder } from './private-folder';

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
