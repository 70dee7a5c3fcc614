import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig, TEMPORAL_SETTINGS } from '@carecover/config';
import { connectionOptions } from '@carecover/setup/temporal-connection';
import { type Certificate, certificateIn } from '@carecover/testing/servers';

const own = { TEMPORAL_ADDRESS: 'temporal:7233', TEMPORAL_NAMESPACE: 'default' };

test('the connection uses TLS with an API key, and no TLS with neither a key nor a certificate', () => {
  expect(connectionOptions(own)).toEqual({ address: 'temporal:7233' });
  expect(connectionOptions(loadConfig(TEMPORAL_SETTINGS, own))).toEqual({ address: 'temporal:7233' });
  expect(connectionOptions({ ...own, TEMPORAL_API_KEY: 'a key' })).toEqual({
    address: 'temporal:7233',
    apiKey: 'a key',
    tls: {},
  });
});

describe('client certificates', () => {
  const folder = mkdtempSync(join(tmpdir(), 'carecover-temporal-'));
  let files: Certificate;
  beforeAll(async () => {
    files = await certificateIn(join(folder, 'tls'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test('they are read from their files, and the connection uses TLS', () => {
    const { leaf, key, authority } = files;
    const settings = loadConfig(TEMPORAL_SETTINGS, {
      ...own,
      TEMPORAL_TLS_CLIENT_CERT_PATH: leaf,
      TEMPORAL_TLS_CLIENT_KEY_PATH: key,
      TEMPORAL_TLS_SERVER_CA_CERT_PATH: authority,
      TEMPORAL_TLS_SERVER_NAME: 'temporal',
    });
    expect(connectionOptions(settings)).toEqual({
      address: 'temporal:7233',
      tls: {
        clientCertPair: { crt: readFileSync(leaf), key: readFileSync(key) },
        serverRootCACertificate: readFileSync(authority),
        serverNameOverride: 'temporal',
      },
    });
  });

  test('a certificate without its key or with another one, and a file without a certificate, are reported', async () => {
    const other = await certificateIn(join(folder, 'other'));
    const attempt = (settings: Record<string, string>) => () =>
      loadConfig(TEMPORAL_SETTINGS, { ...own, ...settings });
    expect(attempt({ TEMPORAL_TLS_CLIENT_CERT_PATH: files.leaf })).toThrow(
      'TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH must be set together',
    );
    const pair = { TEMPORAL_TLS_CLIENT_CERT_PATH: files.leaf, TEMPORAL_TLS_CLIENT_KEY_PATH: other.key };
    expect(attempt(pair)).toThrow(
      'TEMPORAL_TLS_CLIENT_KEY_PATH must be the unencrypted key of the certificate in TEMPORAL_TLS_CLIENT_CERT_PATH',
    );
    expect(attempt({ TEMPORAL_TLS_SERVER_CA_CERT_PATH: join(folder, 'none') })).toThrow(
      'TEMPORAL_TLS_SERVER_CA_CERT_PATH is not valid: it must be the path of a PEM file',
    );
  });
});
