import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tryLock } from '../process/lock.cjs';
import { freePort } from './ports';
import { localSettings } from './settings';
import { Stack, type StackOptions } from './stack';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'carecover-home-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** Starts a stack whose start must fail, and returns the message of the error. */
async function startError(env: NodeJS.ProcessEnv, options: Partial<StackOptions> = {}): Promise<string> {
  const settings = localSettings({ CARECOVER_HOME: home, ...env });
  const stack = new Stack({ settings, usualPorts: false, print: () => undefined, ...options });
  try {
    await stack.start();
    return 'it started';
  } catch (error) {
    return (error as Error).message;
  } finally {
    await stack.stop();
  }
}

test('a second start in one folder is rejected while the first stack runs', async () => {
  const first = tryLock(join(home, 'lock'));
  await expect(startError({})).resolves.toMatch(
    /^Carecover already runs in .* \(process \d+\): stop it first/,
  );
  if ('release' in first) first.release();
});

test('a full disk is reported before anything is written', async () => {
  await expect(startError({}, { freeSpace: async () => 100e6 })).resolves.toMatch(
    /^Too little free disk space: 500 MB is needed to run the stack in .*, and 100 MB is free\.$/,
  );
  expect(readdirSync(home)).toEqual([]);
});

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

test('a start removes the access of other users to an existing folder', async () => {
  chmodSync(home, 0o755);
  const inside = { 'secrets.json': 0o644, 'logs/gateway.log': 0o664, 'tls/leaf.key': 0o604 };
  for (const name of ['logs', 'tls']) mkdirSync(join(home, name), { mode: 0o755 });
  for (const [name, mode] of Object.entries(inside)) {
    writeFileSync(join(home, name), '');
    chmodSync(join(home, name), mode);
  }
  await expect(startError({}, { freeSpace: async () => 100e6 })).resolves.toMatch(/^Too little/);
  for (const name of ['', 'logs', 'tls']) expect([name, modeOf(join(home, name))]).toEqual([name, '700']);
  for (const name of Object.keys(inside)) expect([name, modeOf(join(home, name))]).toEqual([name, '600']);
});

test('a folder with files of other programs is rejected, and keeps its permissions', async () => {
  chmodSync(home, 0o755);
  writeFileSync(join(home, 'letter.txt'), '');
  chmodSync(join(home, 'letter.txt'), 0o644);
  await expect(startError({})).resolves.toMatch(
    /contains other things than a stack of Carecover, such as letter\.txt: set CARECOVER_HOME/,
  );
  expect([modeOf(home), modeOf(join(home, 'letter.txt'))]).toEqual(['755', '644']);
});

test.each(['CARECOVER_PORT', 'CARECOVER_POSTGRES_PORT', 'CARECOVER_NATS_PORT', 'CARECOVER_TEMPORAL_PORT'])(
  'a port that %s names and another program uses is reported in one sentence, and the lock is released',
  async (setting) => {
    const port = await freePort();
    const server = createServer().listen(port, '127.0.0.1');
    await once(server, 'listening');
    await expect(startError({ [setting]: String(port) })).resolves.toMatch(
      new RegExp(`^Port ${port}, which ${setting} names, is taken: .*\\.$`),
    );
    expect(existsSync(join(home, 'lock'))).toBe(false);
    server.close();
  },
);
