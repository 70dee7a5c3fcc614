/** The process of the operator CLI: how a signal ends it, and how `listen` handles errors. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@carecover/testing/servers';
import { type Delivery, startReceiver } from '@carecover/testing/stack';

const CLI = join(__dirname, '../../../libs/cli/bin/carecover.js');

const COVERAGE = {
  coverage_reference: 'policy-1',
  record_version: '1',
  tenant_reference: 'group/nairobi',
  member_reference: 'member-1',
  service_code: 'physio',
  plan_name: 'Outpatient',
  status: 'active',
  currency: 'KES',
  amount_limit: 400_000,
  remaining_sessions: 12,
  authorization_required: false,
  coordination_priority: null,
  valid_from: '2026-01-01T00:00:00Z',
  valid_until: '2028-01-01T00:00:00Z',
};

/** A folder without a local stack. It contains the files to import. */
let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'carecover-command-line-'));
  await writeFile(join(home, 'rows.csv'), 'reference\n');
  await writeFile(join(home, 'coverages.jsonl'), JSON.stringify(COVERAGE));
});
afterAll(() => rm(home, { recursive: true }));

/** Starts a command. The returned `ended` resolves to its exit code and the signal that ended it. */
function start(args: readonly string[], settings: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [CLI, ...args], {
    cwd: home,
    env: { PATH: process.env.PATH, CARECOVER_HOME: home, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const written = { output: '', errors: '' };
  child.stdout.on('data', (chunk: Buffer) => (written.output += chunk));
  child.stderr.on('data', (chunk: Buffer) => (written.errors += chunk));
  return { child, written, ended: once(child, 'close') };
}

test('a command whose output can not be written ends with one message and exit code 1', async () => {
  // Every write to this device fails with ENOSPC, as on a full disk.
  const device = openSync('/dev/full', 'w');
  const child = spawn(process.execPath, [CLI, '--help'], { stdio: ['ignore', device, 'pipe'] });
  closeSync(device);
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => (errors += chunk));
  const ended = await once(child, 'close');
  expect(errors).toBe("carecover: The output is incomplete, because it can't be written: ENOSPC.\n");
  expect(ended).toEqual([1, null]);
});

test.each([
  ['stdout', ['--help'], 0],
  ['stderr', ['unknown'], 2],
] as const)('a command whose reader of %s has ended completes', async (stream, args, code) => {
  const { child, ended } = start(args);
  child[stream].destroy();
  expect(await ended).toEqual([code, null]);
});

describe('a command that waits for a server', () => {
  let connections = 0;
  /** A server that accepts connections and sends nothing. */
  const silent = createTcpServer((socket) => {
    connections += 1;
    socket.on('error', () => undefined).resume();
  });
  let address: string;
  beforeAll(async () => {
    await once(silent.listen(0, '127.0.0.1'), 'listening');
    address = `127.0.0.1:${(silent.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    connections = 0;
  });
  afterAll(() => silent.close());

  test.each([
    ['projects list', []],
    ['settlements import rows.csv', ['--project', 'prj_1']],
    ['settlements import rows.csv', ['--project', 'prj_1', '--dry-run']],
    ['practitioners import rows.csv', ['--project', 'prj_1']],
    [
      'coverages import coverages.jsonl',
      ['--contract', 'c/1', '--generated-at', '2027-01-01T00:00:00Z', '--base-url', 'URL'],
    ],
    ['listen', ['--forward-to', 'http://127.0.0.1:9/', '--base-url', 'URL']],
    ['temporal setup', []],
    ['temporal promote', ['release-1']],
    ['recover-after-restore', ['--reason', 'a rehearsal']],
  ])('%s %j ends at the first SIGINT', async (command, options) => {
    const args = [...command.split(' '), ...options].map((arg) =>
      arg === 'URL' ? `http://${address}/v1` : arg,
    );
    const { child, written, ended } = start(args, {
      CARECOVER_ADMIN_DATABASE_URL: `postgres://postgres@${address}/carecover`,
      CARECOVER_SECRET_KEY: 'sk_test_key',
      TEMPORAL_ADDRESS: address,
      NATS_URL: `nats://${address}`,
      NATS_PASSWORD: 'the password of the operator',
      CARECOVER_ERASURE_JOURNAL: join(home, 'erasures.jsonl'),
      HASH_SECRET: 'the secret of the hashes in these tests',
    });
    await eventually('the command has connected', async () => connections > 0 || child.exitCode !== null);
    child.kill('SIGINT');
    // A shell shows the end by SIGINT as exit code 130.
    expect([...(await ended), written.errors]).toEqual([null, 'SIGINT', '']);
  });
});

describe('listen', () => {
  const EVENT = { id: 'evt_1', type: 'claim.settled', created_at: '2027-01-01T00:00:00.000Z', data: {} };
  const unavailable = {
    code: 'service_unavailable',
    message: 'The service is temporarily unavailable.',
    docs: 'https://docs',
  };
  const revoked = { code: 'api_key_invalid', message: 'The key was revoked.', docs: 'https://docs' };

  const sendJson = (response: ServerResponse, status: number, body: unknown) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  const sendEvents = (response: ServerResponse, ...data: unknown[]) =>
    sendJson(response, 200, { object: 'list', data, has_more: false });

  let answer: (response: ServerResponse) => void;
  const api = createServer((_request, response) => answer(response));
  let received: Delivery[];
  let receiver: Awaited<ReturnType<typeof startReceiver>>;

  beforeAll(async () => {
    await once(api.listen(0, '127.0.0.1'), 'listening');
  });
  afterAll(() => void api.close());
  beforeEach(async () => {
    received = [];
    receiver = await startReceiver((delivery) => received.push(delivery));
    answer = (response) => sendEvents(response);
  });
  afterEach(() => receiver.close());

  async function listening() {
    const baseUrl = `http://127.0.0.1:${(api.address() as AddressInfo).port}/v1`;
    const listener = start(['listen', '--forward-to', receiver.url, '--base-url', baseUrl], {
      CARECOVER_SECRET_KEY: 'sk_test_key',
    });
    await eventually('it has started', async () => listener.written.output.includes('Forwarding'));
    return listener;
  }

  test.each([
    ['responds with 503', (response: ServerResponse) => sendJson(response, 503, { error: unavailable })],
    ['closes connections', (response: ServerResponse) => response.destroy()],
    ['sends the page of a proxy', (response: ServerResponse) => response.writeHead(404).end('<html>')],
  ])('while the API %s, the error is reported once, and the events are forwarded later', async (_, fail) => {
    const { child, written, ended } = await listening();
    let failures = 0;
    answer = (response) => {
      failures += 1;
      fail(response);
    };
    const reports = () => written.output.split("can't be read").length - 1;
    await eventually('the error is reported', async () => reports() > 0);
    const before = failures;
    await eventually('it continues to request events', async () => failures > before);
    answer = (response) => sendEvents(response, EVENT);
    await eventually('the event is forwarded', async () => received.length > 0);
    await eventually('the end of the errors is reported', async () => written.output.includes('read again'));
    expect(reports()).toBe(1);
    child.kill('SIGINT');
    expect(await ended).toEqual([0, null]);
  });

  test.each([
    [401, revoked],
    [403, { ...revoked, code: 'permission_denied' }],
  ])('a %i ends the command with the error, because a later request gets it too', async (status, error) => {
    const { written, ended } = await listening();
    answer = (response) => sendJson(response, status, { error });
    expect(await ended).toEqual([1, null]);
    expect(written.errors).toContain(error.message);
  });

  test('SIGINT cancels a request that the API does not answer', async () => {
    const { child, ended } = await listening();
    const unanswered = new Promise<ServerResponse>((resolve) => {
      answer = resolve;
    });
    const response = await unanswered;
    const closed = once(response, 'close');
    child.kill('SIGINT');
    expect(await ended).toEqual([0, null]);
    await closed;
  });
});
