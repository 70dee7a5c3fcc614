import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, type LimitedFiles, limitFiles } from '@carecover/testing/servers';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { Children } from './children';
import { createStream, findNatsFault, NATS_USERS, type NatsUser, startNats } from './nats';
import { freePort } from './ports';
import { Supervised } from './supervised';
import { natsExecutable } from './toolchain';

const STREAM = 'CARECOVER_EVENTS';
/** The largest file that the server can write while "the disk is full", in blocks of 512 bytes. */
const FULL_BLOCKS = 200;

let folder: string;
let files: LimitedFiles;
let children: Children;
let server: Supervised;
let connection: NatsConnection;
let port: number;
let monitorPort: number;
let freeBytes: number;
const printed: string[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'carecover-nats-'));
  printed.length = 0;
  freeBytes = 1_000_000_000;
  children = new Children(folder);
  files = await limitFiles(folder, await natsExecutable());
  port = await freePort();
  monitorPort = await freePort();
  const passwords = Object.fromEntries(NATS_USERS.map((user) => [user, user])) as Record<NatsUser, string>;
  const options = { folder: join(folder, 'nats'), logFile: join(folder, 'log'), port, monitorPort };
  server = new Supervised(
    'nats',
    () => startNats({ ...options, ...{ children, executable: files.executable, passwords } }),
    (line) => printed.push(line),
    () => findNatsFault(options, async () => freeBytes),
  );
  await files.limit(FULL_BLOCKS);
  await server.start();
  connection = await connect({
    servers: `127.0.0.1:${port}`,
    user: 'operator',
    pass: 'operator',
    inboxPrefix: '_INBOX.operator',
    maxReconnectAttempts: -1,
    reconnectTimeWait: 100,
  });
  await createStream({ ports: [port], password: 'operator', replicas: 1 });
});
afterEach(async () => {
  await connection?.close();
  server.disableRestart();
  await children.close();
  await rm(folder, { recursive: true, force: true });
});

async function request(subject: string, body: unknown): Promise<{ state?: { messages: number } }> {
  const reply = await connection.request(subject, JSON.stringify(body), { timeout: 1_000 });
  return reply.json();
}

/** Publishes a message. Returns whether the stream has stored it. */
async function publish(): Promise<boolean> {
  return request('carecover.events.test', 'x'.repeat(10_000)).then(
    () => true,
    () => false,
  );
}

const countMessages = async () => (await request(`$JS.API.STREAM.INFO.${STREAM}`, {})).state?.messages;

/** Publishes until the server can't write. Returns the number of stored messages. */
async function fill(): Promise<number> {
  for (let stored = 0; ; stored++) if (!(await publish())) return stored;
}

test('a server that could not write stores messages again soon after there is space, and has lost none', async () => {
  const stored = await fill();
  freeBytes = 0;
  expect(stored).toBeGreaterThan(5);
  expect(await publish()).toBe(false);
  // The server is not restarted while the disk is full, because it would fail again.
  const { pid } = server;
  await sleep(6_000);
  expect([server.pid, printed]).toEqual([pid, []]);
  await files.limit('unlimited');
  freeBytes = 1_000_000_000;
  await eventually('a message is stored', publish);
  expect(await countMessages()).toBe(stored + 1);
  expect(printed[0]).toMatch(/^nats must be restarted: JetStream stream .* write error: /);
  expect(printed).toHaveLength(2);
});

test('a stream that exists with other settings is kept', async () => {
  await request(`$JS.API.STREAM.DELETE.${STREAM}`, {});
  const subjects = ['carecover.events.test'];
  await request(`$JS.API.STREAM.CREATE.${STREAM}`, { name: STREAM, subjects });
  await createStream({ ports: [port], password: 'operator', replicas: 1 });
  expect(await request(`$JS.API.STREAM.INFO.${STREAM}`, {})).toMatchObject({ config: { subjects } });
});

test('a healthy server, one that does not respond and one that has ended have no fault that a restart repairs', async () => {
  const find = () => findNatsFault({ folder, monitorPort }, async () => freeBytes);
  expect(await find()).toBeNull();
  await server.stop();
  expect(await find()).toBeNull();
});

test('the space that the stream can use does not depend on the space that was free at the start', async () => {
  const response = await fetch(`http://127.0.0.1:${monitorPort}/jsz`);
  expect(await response.json()).toMatchObject({ config: { max_storage: 2 * 1024 ** 3 } });
});
