/**
 * Attacks the guarantee that a server reads every header line of a request: hides a header behind so many others that Node.js would drop
 * it without an error, while a proxy before the server still reads it.
 */
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { GatewayFixture } from '@carecover/gateway/testing';
import { createServiceApp, startHttpServer } from '@carecover/http';
import { createLog } from '@carecover/telemetry';
import { freePort } from '@carecover/testing/servers';
import { SERVICE_SECRET, TEST_ISSUER_KEYS } from '@carecover/testing/services';
import { ConsoleFixture } from '../../../services/console/src/testing/console-fixture';

const MAX_LINES = 2_000;
const SERVERS = ['the gateway', "the gateway's operators' routes", 'the console', 'a service'] as const;
const ports = new Map<string, number>();
const stops: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  const fixture = await GatewayFixture.start();
  const operatorPort = await freePort();
  const gateway = await fixture.gateway({ OPERATOR_PORT: String(operatorPort) });
  const console = await ConsoleFixture.start();
  const app = createServiceApp({
    service: 'care',
    handlers: {},
    contextKeys: TEST_ISSUER_KEYS,
    hashSecret: SERVICE_SECRET,
    log: createLog('care', 'silent'),
    ready: async () => undefined,
  });
  const service = await startHttpServer(app, '127.0.0.1', 0);
  const found = [gateway.port, operatorPort, Number(new URL(console.origin).port), service.port];
  for (const [index, name] of SERVERS.entries()) ports.set(name, found[index] ?? 0);
  stops.push(
    () => fixture.stop(),
    () => console.stop(),
    () => service.close(),
  );
});
afterAll(async () => {
  for (const stop of stops) await stop();
});

/** Sends a request with a number of header lines. Returns the status line and the body of the response. */
async function send(name: string, lines: number): Promise<string> {
  const socket = connect(ports.get(name) ?? 0, '127.0.0.1');
  const needed = ['Host: x', 'X-Forwarded-Proto: https', 'Connection: close'];
  // The last line is the one that an attacker would hide.
  const filling = Array.from({ length: lines - needed.length - 1 }, () => 'a:');
  socket.write(
    `GET /v1/claims HTTP/1.1\r\n${[...needed, ...filling, 'x-request-id: last'].join('\r\n')}\r\n\r\n`,
  );
  return text(socket);
}

test.each(SERVERS)(
  '%s rejects a request with more than 2,000 header lines, and reads up to 2,000',
  async (name) => {
    for (const lines of [MAX_LINES + 1, MAX_LINES + 40, 2 * MAX_LINES]) {
      const rejected = await send(name, lines);
      expect([lines, rejected.split('\r\n')[0]]).toEqual([lines, 'HTTP/1.1 400 Bad Request']);
      expect(rejected).toContain('/headers must have at most 2000 lines.');
    }
    const accepted = await send(name, MAX_LINES);
    expect(accepted).toMatch(/^HTTP\/1\.1 (302|401|404|503) /);
    expect(accepted).not.toContain('/headers must have');
  },
);
