/**
 * Attacks the guarantees about TLS of the two servers that clients on the internet connect to, the gateway and the console: protocol
 * versions, cipher suites and renegotiation. A process with half of a certificate's pair must not start.
 */
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import { loadConfig, setting } from '@carecover/config';
import { GatewayFixture } from '@carecover/gateway/testing';
import { ClientAddress } from '@carecover/http';
import { type Certificate, certificateIn } from '@carecover/testing/servers';
import { SETTINGS as consoleSettings } from '../../../services/console/src/settings';
import { createHttpServer } from '../../../services/console/src/start';
import { SETTINGS as gatewaySettings } from '../../../services/gateway/src/settings';

const folder = mkdtempSync(join(tmpdir(), 'carecover-tls-'));
const SERVERS = ['gateway', 'console'] as const;
const ports = { gateway: 0, console: 0 };
const stops: (() => Promise<unknown>)[] = [];
let certificate: Certificate;
let ca: string;

beforeAll(async () => {
  certificate = await certificateIn(join(folder, 'tls'));
  ca = readFileSync(certificate.authority, 'utf8');
  const { leaf, key } = certificate;
  const fixture = await GatewayFixture.start();
  const gateway = await fixture.gateway({ TRUSTED_PROXY: '', TLS_CERTIFICATE: leaf, TLS_KEY: key });
  ports.gateway = gateway.port;
  const pair = { TLS_CERTIFICATE: readFileSync(leaf), TLS_KEY: readFileSync(key) };
  const server = createHttpServer(pair, new ClientAddress(null));
  server.on('request', (_request, response) => response.end('here')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  ports.console = (server.address() as AddressInfo).port;
  stops.push(() => fixture.stop());
  stops.push(() => once(server.close(), 'close'));
});
afterAll(async () => {
  for (const stop of stops) await stop();
  rmSync(folder, { recursive: true });
});

/** Opens a TLS connection. @throws the error of a failed handshake */
function open(server: (typeof SERVERS)[number], options: ConnectionOptions): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port: ports[server], ca, ...options }, () => resolve(socket));
    socket.on('error', reject);
  });
}

const TLS12 = { minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' } as const;

describe.each(SERVERS)('the %s', (name) => {
  test.each([
    ['TLS 1.0 and 1.1', { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' }],
    ['CBC with SHA-256', { ...TLS12, ciphers: 'ECDHE-ECDSA-AES128-SHA256:ECDHE-RSA-AES128-SHA256' }],
    ['CBC with SHA-384', { ...TLS12, ciphers: 'ECDHE-ECDSA-AES256-SHA384:ECDHE-RSA-AES256-SHA384' }],
    ['CBC with SHA-1', { ...TLS12, ciphers: 'ECDHE-ECDSA-AES128-SHA:ECDHE-RSA-AES256-SHA@SECLEVEL=0' }],
    ['CCM', { ...TLS12, ciphers: 'ECDHE-ECDSA-AES128-CCM:ECDHE-ECDSA-AES128-CCM8' }],
    ['no forward secrecy', { ...TLS12, ciphers: 'AES128-GCM-SHA256:AES256-GCM-SHA384:AES128-SHA' }],
  ] satisfies [string, ConnectionOptions][])('rejects a handshake with %s', async (_, options) => {
    await expect(open(name, options)).rejects.toThrow(/alert|handshake|reset|disconnected/i);
  });

  test.each([
    ['TLS 1.3', {}, 'TLSv1.3'],
    ['TLS 1.2 with GCM', { ...TLS12, ciphers: 'ECDHE-ECDSA-AES128-GCM-SHA256' }, 'TLSv1.2'],
    ['TLS 1.2 with ChaCha20', { ...TLS12, ciphers: 'ECDHE-ECDSA-CHACHA20-POLY1305' }, 'TLSv1.2'],
  ] satisfies [string, ConnectionOptions, string][])('accepts %s', async (_, options, protocol) => {
    const socket = await open(name, options);
    expect(socket.getProtocol()).toBe(protocol);
    socket.destroy();
  });

  test('does not renegotiate a connection', async () => {
    const socket = await open(name, TLS12);
    const error = await new Promise<Error | null>((resolve) => {
      socket.on('error', resolve).on('close', () => resolve(new Error('closed')));
      socket.renegotiate({ rejectUnauthorized: true }, resolve);
    });
    expect(String(error)).toMatch(/renegotiation|closed/i);
    socket.destroy();
  });
});

describe.each([
  ['gateway', gatewaySettings],
  ['console', consoleSettings],
] as const)('the settings of the %s', (_name, { TLS_CERTIFICATE, TLS_KEY }) => {
  const load = (pair: Readonly<Record<string, string>>) => () =>
    loadConfig({ NAME: setting.string(), TLS_CERTIFICATE, TLS_KEY }, { NAME: 'one', ...pair });

  test('have both parts of the pair, or none', () => {
    const { leaf, key } = certificate;
    expect(load({ TLS_CERTIFICATE: leaf, TLS_KEY: key })().TLS_KEY).toEqual(readFileSync(key));
    expect(load({})()).toMatchObject({ TLS_CERTIFICATE: null, TLS_KEY: null });
    for (const half of [{ TLS_CERTIFICATE: leaf }, { TLS_KEY: key }])
      expect(load(half)).toThrow('TLS_CERTIFICATE and TLS_KEY must be set together');
  });

  test('reject the key of another certificate, and files that are missing or no PEM', async () => {
    const { leaf, key } = certificate;
    const other = await certificateIn(join(folder, 'other'));
    expect(load({ TLS_CERTIFICATE: leaf, TLS_KEY: other.key })).toThrow(
      'TLS_KEY must be the unencrypted key of the certificate in TLS_CERTIFICATE',
    );
    expect(load({ TLS_CERTIFICATE: key, TLS_KEY: key })).toThrow('TLS_KEY must be the unencrypted key');
    expect(load({ TLS_CERTIFICATE: join(folder, 'none'), TLS_KEY: __filename })).toThrow(
      /TLS_CERTIFICATE is not valid: it must be the path of a PEM file[\s\S]*TLS_KEY is not valid: it must be the path of a PEM file/,
    );
  });
});
