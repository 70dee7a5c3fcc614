/**
 * Attacks two guarantees: cacheable responses don't depend on the Host header, and unread responses use a bounded amount of memory.
 */
import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { codeOf, GatewayFixture, type TestGateway } from '@carecover/gateway/testing';
import { eventually } from '@carecover/testing/servers';

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

/** Sends a request with the Host header `host`, and does not read the response. */
async function requestWithoutReading(path: string, host: string, ...lines: string[]): Promise<void> {
  const socket = connect(gateway.port, '127.0.0.1').on('error', () => undefined);
  sockets.push(socket);
  socket.pause();
  await once(socket, 'connect');
  const head = [`GET ${path} HTTP/1.1`, `Host: ${host}`, 'X-Forwarded-Proto: https', ...lines];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
}

/**
 * Sends a request with the Host header `host`, and returns the parts of the response that caches use. node:http is used: fetch can't set
 * the Host header.
 */
function requestAsHost(host: string, path: string): Promise<string> {
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

test('every public response is the same for every Host header', async () => {
  const hosts = ['a.example', 'b.example', 'c.example:444', 'd.example', 'e.example', '"><script>'];
  for (const path of ['/v1/openapi.json', '/docs', '/docs/errors', '/docs/reference']) {
    const responses = new Set(await Promise.all(hosts.map((host) => requestAsHost(host, path))));
    expect([path, responses.size]).toEqual([path, 1]);
    expect([...responses][0]).toMatch(/^\[200,"public/);
  }
});

test('unread long responses of one project are limited, and other projects get responses', async () => {
  const longResponse = JSON.stringify({ data: 'x'.repeat(4 * 1024 * 1024) });
  fixture.upstream.respond = (_, response) =>
    response.setHeader('content-type', 'application/json').end(longResponse);
  const notReading = (await fixture.project()).secret_key;
  const other = (await fixture.project()).secret_key;
  await eventually('another request is 503', async () => {
    await requestWithoutReading('/v1/claims', 'x', `Authorization: Bearer ${notReading}`);
    const response = await gateway.request('/v1/claims', { key: notReading });
    return codeOf(response) === 'service_unavailable';
  });
  expect((await gateway.request('/v1/claims', { key: other })).status).toBe(200);
  for (const socket of sockets.splice(0)) socket.destroy();
  await eventually('requests of the project succeed again', async () => {
    return (await gateway.request('/v1/claims', { key: notReading })).status === 200;
  });
  fixture.upstream.respond = undefined;
});
