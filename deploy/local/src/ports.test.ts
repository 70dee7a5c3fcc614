import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, isFree, PortChooser } from './ports';
import { localSettings } from './settings';

const servers: Server[] = [];
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'carecover-ports-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
  for (const server of servers.splice(0)) server.close();
});

/** Starts a server on a free port, and returns the port. */
async function occupyPort(): Promise<number> {
  const port = await freePort();
  const server = createServer().listen(port, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return port;
}

test('a port that a setting names is used, or rejected with one sentence if it is taken', async () => {
  const chooser = new PortChooser(folder);
  const port = await freePort();
  await expect(chooser.choose({ setting: { name: 'CARECOVER_PORT', port }, preferred: [1] })).resolves.toBe(
    port,
  );
  const taken = await occupyPort();
  await expect(
    chooser.choose({ setting: { name: 'CARECOVER_PORT', port: taken }, preferred: [port] }),
  ).rejects.toThrow(`Port ${taken}, which CARECOVER_PORT names, is taken`);
});

test('free ports that are chosen together are different', async () => {
  const chosen = await Promise.all(Array.from({ length: 100 }, () => freePort()));
  expect(new Set(chosen).size).toBe(100);
});

test('another port is chosen if a preferred port is taken', async () => {
  const taken = await occupyPort();
  const port = await new PortChooser(folder).choose({ preferred: [taken] });
  expect(port).not.toBe(taken);
  await expect(isFree(port)).resolves.toBe(true);
});

test('two stacks that start concurrently get different ports, and a stopped stack releases its ports', async () => {
  const [one, two] = [new PortChooser(folder), new PortChooser(folder)];
  const port = await freePort();
  const request = { preferred: [port] };
  const chosen = await Promise.all([one.choose(request), one.choose(request), two.choose(request)]);
  expect(new Set(chosen).size).toBe(3);
  one.release();
  two.release();
  await expect(new PortChooser(folder).choose(request)).resolves.toBe(port);
});

test('one error names every wrong setting', () => {
  const settings = { CARECOVER_PORT: 'https', CARECOVER_NATS_PORT: '70000', CARECOVER_TEMPORAL_PORT: '7233' };
  const message = (() => {
    try {
      localSettings(settings);
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  })();
  expect(message).toMatch(/CARECOVER_PORT is not valid/);
  expect(message).toMatch(/CARECOVER_NATS_PORT is not valid/);
  expect(message).not.toMatch(/CARECOVER_TEMPORAL_PORT/);
});
