/**
 * Guarantee: whoever reaches Temporal without a certificate of the installation's own authority commands no workflow. A proxy that ends TLS
 * as Temporal's frontend does, with the certificates that the containers get, stands before a real server.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { startDevTemporal } from '@carecover/local/testing';
import {
  connectionOptions,
  loadConfig,
  TEMPORAL_SETTINGS,
  TemporalCommands,
  type TemporalSettings,
} from '@carecover/platform';
import { NativeConnection } from '@temporalio/worker';

const SCRIPT = join(__dirname, '../../../deploy/compose/make-secrets.mjs');
const folder = mkdtempSync(join(tmpdir(), 'carecover-certificates-'));
const secretsOf = (installation: string) => join(folder, installation);
let temporal: Awaited<ReturnType<typeof startDevTemporal>>;
let proxy: ReturnType<typeof createServer>;

beforeAll(async () => {
  for (const installation of ['own', 'another'])
    execFileSync(process.execPath, [SCRIPT, secretsOf(installation)]);
  temporal = await startDevTemporal();
  const [host = '', port] = temporal.address.split(':');
  const pem = (name: string) => readFileSync(join(secretsOf('own'), name));
  proxy = createServer(
    {
      cert: pem('temporal_server_certificate'),
      key: pem('temporal_server_key'),
      ca: pem('temporal_authority'),
      requestCert: true,
      rejectUnauthorized: true,
      ALPNProtocols: ['h2'],
    },
    (client) => {
      const server = connect(Number(port), host);
      client.pipe(server).pipe(client);
      client.on('error', () => server.destroy());
      server.on('error', () => client.destroy());
    },
  );
  proxy.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  proxy?.close();
  await temporal?.stop();
  rmSync(folder, { recursive: true });
});

/** As a service reads them from its environment, with what it lacks or has from elsewhere. */
function settings(changes: Record<string, string> = {}): TemporalSettings {
  const own = secretsOf('own');
  return loadConfig(TEMPORAL_SETTINGS, {
    TEMPORAL_ADDRESS: `127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    TEMPORAL_TLS_CLIENT_CERT_PATH: join(own, 'temporal_client_certificate'),
    TEMPORAL_TLS_CLIENT_KEY_PATH: join(own, 'temporal_client_key'),
    TEMPORAL_TLS_SERVER_CA_CERT_PATH: join(own, 'temporal_authority'),
    TEMPORAL_TLS_SERVER_NAME: 'temporal',
    ...changes,
  });
}

/** Whether it can start a workflow. */
async function commands(with_: TemporalSettings): Promise<boolean> {
  const engine = TemporalCommands.create(with_);
  try {
    return await engine.ensureRunning(`clm_${Math.random()}`, { type: 'any', taskQueue: 'nobody', args: [] });
  } finally {
    await engine.close();
  }
}

const anothers = () => ({
  TEMPORAL_TLS_CLIENT_CERT_PATH: join(secretsOf('another'), 'temporal_client_certificate'),
  TEMPORAL_TLS_CLIENT_KEY_PATH: join(secretsOf('another'), 'temporal_client_key'),
});

test('with its certificate a service starts workflows, and its worker connects', async () => {
  expect(await commands(settings())).toBe(true);
  const connection = await NativeConnection.connect(connectionOptions(settings()));
  await connection.ensureConnected();
  await connection.close();
});

test.each<[string, () => Record<string, string>]>([
  ['no certificate', () => ({ TEMPORAL_TLS_CLIENT_CERT_PATH: '', TEMPORAL_TLS_CLIENT_KEY_PATH: '' })],
  ["another installation's certificate", anothers],
  [
    'no TLS',
    () => ({
      TEMPORAL_TLS_CLIENT_CERT_PATH: '',
      TEMPORAL_TLS_CLIENT_KEY_PATH: '',
      TEMPORAL_TLS_SERVER_CA_CERT_PATH: '',
      TEMPORAL_TLS_SERVER_NAME: '',
    }),
  ],
])('with %s nobody starts a workflow', async (_name, changes) => {
  expect(await commands(settings(changes()))).toBe(false);
});

test('a service does not talk to a server that its authority did not sign, nor to one of another name', async () => {
  const authority = join(secretsOf('another'), 'temporal_authority');
  expect(await commands(settings({ TEMPORAL_TLS_SERVER_CA_CERT_PATH: authority }))).toBe(false);
  expect(await commands(settings({ TEMPORAL_TLS_SERVER_NAME: 'elsewhere' }))).toBe(false);
});
