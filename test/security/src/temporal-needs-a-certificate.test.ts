/**
 * Attacks the guarantee that a client can start a workflow only with a certificate that the installation's own authority signed. A proxy
 * in front of a Temporal server terminates TLS as Temporal's frontend does, with the certificates that deploy/compose/make-secrets.mjs
 * creates.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { loadConfig, TEMPORAL_SETTINGS } from '@carecover/config';
import { storedTenant } from '@carecover/domain';
import { connectionOptions, type TemporalSettings } from '@carecover/setup/temporal-connection';
import { TemporalRuns } from '@carecover/temporal';
import { startDevTemporal } from '@carecover/testing/servers';
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

/** Reads the Temporal settings of a service from valid environment variables. `changes` replaces some of these variables. */
function readSettings(changes: Record<string, string> = {}): TemporalSettings {
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

/** Returns whether a client with these settings can start a workflow. */
async function canStartWorkflow(temporalSettings: TemporalSettings): Promise<boolean> {
  const client = TemporalRuns.create(temporalSettings);
  try {
    return await client.ensureRunning(
      {
        type: 'any',
        taskQueue: 'without-worker',
        summaryOf: () => 'any',
      },
      { id: `clm_${Math.random()}`, tenant: storedTenant('prj_any'), environment: 'sandbox' },
    );
  } finally {
    await client.close();
  }
}

const otherCertificate = () => ({
  TEMPORAL_TLS_CLIENT_CERT_PATH: join(secretsOf('another'), 'temporal_client_certificate'),
  TEMPORAL_TLS_CLIENT_KEY_PATH: join(secretsOf('another'), 'temporal_client_key'),
});

test('with its certificate a service can start workflows and connect its worker', async () => {
  expect(await canStartWorkflow(readSettings())).toBe(true);
  const connection = await NativeConnection.connect(connectionOptions(readSettings()));
  await connection.ensureConnected();
  await connection.close();
});

test.each<[string, () => Record<string, string>]>([
  ['no certificate', () => ({ TEMPORAL_TLS_CLIENT_CERT_PATH: '', TEMPORAL_TLS_CLIENT_KEY_PATH: '' })],
  ["another installation's certificate", otherCertificate],
  [
    'no TLS',
    () => ({
      TEMPORAL_TLS_CLIENT_CERT_PATH: '',
      TEMPORAL_TLS_CLIENT_KEY_PATH: '',
      TEMPORAL_TLS_SERVER_CA_CERT_PATH: '',
      TEMPORAL_TLS_SERVER_NAME: '',
    }),
  ],
])('with %s no workflow can be started', async (_name, changes) => {
  expect(await canStartWorkflow(readSettings(changes()))).toBe(false);
});

test('a service rejects a server whose certificate has another authority or another name', async () => {
  const authority = join(secretsOf('another'), 'temporal_authority');
  expect(await canStartWorkflow(readSettings({ TEMPORAL_TLS_SERVER_CA_CERT_PATH: authority }))).toBe(false);
  expect(await canStartWorkflow(readSettings({ TEMPORAL_TLS_SERVER_NAME: 'elsewhere' }))).toBe(false);
});
