/** A command does not mix the local stack with another installation: neither its servers nor its key. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GatewayFixture } from '@carecover/gateway/testing';
import { runCommand } from './testing/run-command';

const LOCAL_KEY = 'sk_test_the_key_of_the_local_stack';
const IMPORT_COVERAGES = ['--contract', 'contract/1', '--generated-at', '2027-01-01T00:00:00Z'];

let fixture: GatewayFixture;
/** The folder of the local stack, which also contains the files to import. */
let home: string;
let connections = 0;
/** A server at the addresses of the local stack. */
const local = createServer((socket) => {
  connections += 1;
  socket.destroy();
});

beforeAll(async () => {
  fixture = await GatewayFixture.start(['gateway', 'payments']);
  await new Promise<void>((resolve) => local.listen(0, '127.0.0.1', resolve));
  const address = `127.0.0.1:${(local.address() as AddressInfo).port}`;
  home = await mkdtemp(join(tmpdir(), 'carecover-home-'));
  await writeFile(join(home, 'empty.csv'), '');
  await writeFile(join(home, 'ca.pem'), '');
  const stack = {
    base_url: `http://${address}/v1`,
    ca_certificate: join(home, 'ca.pem'),
    secret_key: LOCAL_KEY,
    database_url: `postgres://postgres@${address}/carecover`,
    temporal_address: address,
    nats_url: `nats://${address}`,
    nats_password: 'password',
  };
  await writeFile(join(home, 'stack.json'), JSON.stringify(stack));
});
beforeEach(() => {
  connections = 0;
  fixture.upstream.received.length = 0;
});
afterAll(async () => {
  local.close();
  await fixture.stop();
  await rm(home, { recursive: true });
});

const run = (args: readonly string[], settings: Readonly<Record<string, string>>) =>
  runCommand(args, { CARECOVER_HOME: home, CARECOVER_OPERATOR: 'amina', ...settings });

/** The settings of a command that names the database of another installation. */
const otherDatabase = () => ({ CARECOVER_ADMIN_DATABASE_URL: fixture.database.adminUrl });

test.each([
  ['temporal versions', 'TEMPORAL_ADDRESS', () => []],
  ['recover-after-restore', 'TEMPORAL_ADDRESS', () => ['--reason', 'a rehearsal']],
  ['listen', '--base-url', () => ['--forward-to', 'http://127.0.0.1:9/hooks']],
  ['coverages import', '--base-url', () => ['empty.csv', ...IMPORT_COVERAGES]],
])(
  '%s: a command that names another database also needs %s, and changes nothing without it',
  async (command, setting, argumentsFor) => {
    const args = argumentsFor().map((arg) => (arg === 'empty.csv' ? join(home, arg) : arg));
    const audited = () => run(['audit', 'list', '--limit', '1', '--json'], otherDatabase());
    const before = await audited();
    const { code, errors } = await run([...command.split(' '), ...args], otherDatabase());
    expect([code, errors]).toEqual([1, expect.stringContaining(setting)]);
    expect(await audited()).toEqual(before);
    expect(connections).toBe(0);
  },
);

test('a command that needs only the database uses no server of the local stack if it names another database', async () => {
  const { project_id } = await fixture.project();
  const file = join(home, 'without-rows.csv');
  await writeFile(file, 'source_reference,payer_reference,currency,amount,observed_at\n');
  expect(await run(['settlements', 'import', file, '--project', project_id], otherDatabase())).toMatchObject({
    code: 0,
    errors: '',
  });
  expect(connections).toBe(0);
});

test.each([
  ['listen', ['--forward-to', 'http://127.0.0.1:9/hooks']],
  ['coverages import', ['empty.csv', ...IMPORT_COVERAGES]],
])("%s: the local stack's key is not sent to another URL", async (command, rest) => {
  const args = rest.map((arg) => (arg === 'empty.csv' ? join(home, arg) : arg));
  const baseUrl = ['--base-url', `${fixture.upstream.url}/v1`];
  const { code, errors } = await run([...command.split(' '), ...args, ...baseUrl], {});
  expect([code, errors]).toEqual([1, expect.stringContaining('CARECOVER_SECRET_KEY')]);
  expect(fixture.upstream.received).toEqual([]);
});

test("the local stack's key is used for the local stack's URL", async () => {
  const args = ['listen', '--forward-to', 'http://127.0.0.1:9/hooks'];
  const { code, errors } = await run(args, {});
  expect([code, errors]).toEqual([1, expect.stringContaining('no response from')]);
  expect(connections).toBeGreaterThan(0);
});
