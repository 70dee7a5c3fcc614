/**
 * Attacks two guarantees: what a cache may keep depends on nothing that a caller made up, and answers that nobody reads hold a
 * bounded part of the memory.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@carecover/local/testing';
import {
  codeOf,
  GatewayFixture,
  type TestGateway,
} from '../../../services/gateway/src/testing/gateway-fixture';

let fixture: GatewayFixture;
let gateway: TestGateway;
const sockets: Socket[] = [];

beforeAll(async () => {
  fixture = await GatewayFixture.start();
  gateway = await fixture.gateway();
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});
afterAll(() => fixture.stop());

/** Asks and never reads the answer. */
async function askWithoutReading(path: string, host: string, ...lines: string[]): Promise<void> {
  const socket = connect(gateway.port, '127.0.0.1').on('error', () => undefined);
  sockets.push(socket);
  socket.pause();
  await once(socket, 'connect');
  const head = [`GET ${path} HTTP/1.1`, `Host: ${host}`, 'X-Forwarded-Proto: https', ...lines];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
}

test('every public answer is the same whatever host is named', async () => {
  for (const path of ['/v1/openapi.json', '/docs', '/docs/errors', '/docs/reference']) {
    const answers = await Promise.all(
      ['a.example', 'b.example', 'c.example:444', 'd.example', 'e.example', '"><script>'].map(
        async (host) => {
          const { text, headers } = await gateway.request(path, {
            headers: { 'x-forwarded-host': host, host },
          });
          return [text, headers.get('etag'), headers.get('cache-control')];
        },
      ),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]?.[2]).toContain('public');
    expect(answers[0]?.[0]).not.toContain('a.example:');
  }
});

test('250 API descriptions that nobody reads, each by another host, hold little', async () => {
  await gateway.request('/v1/openapi.json');
  const before = process.memoryUsage().arrayBuffers;
  await Promise.all(
    Array.from({ length: 250 }, (_, n) =>
      askWithoutReading('/v1/openapi.json', `host-${n}.example`, 'Accept-Encoding: identity'),
    ),
  );
  // Until the gateway has taken them all: a later request is answered.
  await gateway.request('/v1/openapi.json');
  await sleep(200);
  const grown = (process.memoryUsage().arrayBuffers - before) / 1024 / 1024;
  process.stdout.write(`250 unread API descriptions: ${grown.toFixed(1)} MiB of buffers\n`);
  expect(grown).toBeLessThan(32);
});

test('long answers that one project does not read are bounded, and others get theirs', async () => {
  const longAnswer = JSON.stringify({ data: 'x'.repeat(4 * 1024 * 1024) });
  fixture.upstream.respond = (_, response) =>
    response.setHeader('content-type', 'application/json').end(longAnswer);
  const greedy = (await fixture.project()).secret_key;
  const other = (await fixture.project()).secret_key;
  for (let asked = 0; asked < 12; asked++) {
    await askWithoutReading('/v1/claims', 'x', `Authorization: Bearer ${greedy}`);
  }
  await eventually('one more is 503', async () => {
    const answer = await gateway.request('/v1/claims', { key: greedy });
    return codeOf(answer) === 'service_unavailable';
  });
  expect((await gateway.request('/v1/claims', { key: other })).status).toBe(200);
  for (const socket of sockets.splice(0)) socket.destroy();
  await eventually('it is served again', async () => {
    return (await gateway.request('/v1/claims', { key: greedy })).status === 200;
  });
  fixture.upstream.respond = undefined;
});
