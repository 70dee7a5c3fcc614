/**
 * Attacks two guarantees: what a cache may keep depends on nothing that a caller made up, and answers that nobody reads hold a
 * bounded part of the memory.
 */
import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
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

/** What a cache would keep; by node:http, since fetch sends no Host but its own. */
function askAs(host: string, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { host, 'x-forwarded-host': host, 'x-forwarded-proto': 'https' };
    request({ port: gateway.port, host: '127.0.0.1', path, headers }, async (response) => {
      const { etag, 'cache-control': caching } = response.headers;
      resolve(JSON.stringify([response.statusCode, caching, etag, await text(response)]));
    })
      .on('error', reject)
      .end();
  });
}

test('every public answer is the same whatever host is named, so none is made again for one', async () => {
  const hosts = ['a.example', 'b.example', 'c.example:444', 'd.example', 'e.example', '"><script>'];
  for (const path of ['/v1/openapi.json', '/docs', '/docs/errors', '/docs/reference']) {
    const answers = new Set(await Promise.all(hosts.map((host) => askAs(host, path))));
    expect([path, answers.size]).toEqual([path, 1]);
    expect([...answers][0]).toMatch(/^\[200,"public/);
  }
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
