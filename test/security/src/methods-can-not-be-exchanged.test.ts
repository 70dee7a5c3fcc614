/**
 * Attacks the guarantee that an operation is executed by its own method alone: sends every operation's path with every other method that
 * HTTP parsers know, and asks for another method by the headers and parameters that some frameworks accept. The cases are generated from
 * the contract's operations and from Node's list of methods.
 */
import { METHODS } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expandPath, type Operation, operationList, operations } from '@carecover/contract';
import { GatewayFixture, type TestGateway } from '@carecover/gateway/testing';

let fixture: GatewayFixture;
let gateway: TestGateway;
let key: string;

beforeAll(async () => {
  fixture = await GatewayFixture.start();
  gateway = await fixture.gateway();
  key = (await fixture.project()).secret_key;
  await fixture.sql`update gateway.projects set rate_limit_per_minute = 1000000`;
});
afterAll(() => fixture.stop());

interface Sent {
  readonly status: number;
  readonly allow: string | undefined;
  readonly body: string;
}

/** Sends a request as bytes: HTTP clients reject some methods, and change the case of others. */
async function send(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body = '',
): Promise<Sent> {
  const lines = Object.entries({
    Host: 'api.example.com',
    Authorization: `Bearer ${key}`,
    'X-Forwarded-Proto': 'https',
    Connection: 'close',
    ...headers,
    ...(body === '' ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }),
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  const socket = connect(gateway.port, '127.0.0.1');
  socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
  const response = await text(socket);
  return {
    status: Number(response.split(' ')[1]),
    allow: /^allow: (.*)\r$/im.exec(response)?.[1],
    body: response.slice(response.indexOf('\r\n\r\n') + 4),
  };
}

/** The paths of the API with an ID for each parameter, and the methods of the operations at each. */
const methodsByPath = new Map<string, string[]>();
for (const { path, method } of operationList) {
  const concrete = `/v1${expandPath(path, (name) => `${name.slice(0, 3)}_1`)}`;
  methodsByPath.set(concrete, [...(methodsByPath.get(concrete) ?? []), method]);
}

const exampleOf = (schema: object | undefined): string | undefined => {
  if (schema === undefined) return undefined;
  const { examples, oneOf } = schema as { examples?: readonly unknown[]; oneOf?: readonly object[] };
  return examples === undefined ? exampleOf(oneOf?.[0]) : JSON.stringify(examples[0]);
};

/** Returns a valid path of an operation, whose IDs have the form that the contract requires. */
function pathOf({ path, params }: Operation): string {
  const { properties = {} } = params as { properties?: Record<string, { pattern?: string }> };
  return `/v1${expandPath(path, (name) => `${/^\^(\w+_)/.exec(properties[name]?.pattern ?? '')?.[1] ?? 'x'}1`)}`;
}

test.each([...methodsByPath])(
  '%s accepts %s, and no service receives a request with another method',
  async (path, methods) => {
    const before = fixture.upstream.received.length;
    for (const method of METHODS) {
      if (methods.includes(method)) continue;
      const { status, allow } = await send(method, path);
      // Without the headers of a preflight, OPTIONS is a method like any other.
      const expected = method === 'CONNECT' ? [400, undefined] : [405, [...methods].sort().join(', ')];
      expect([method, status, allow?.split(', ').sort().join(', ')]).toEqual([method, ...expected]);
    }
    expect(fixture.upstream.received).toHaveLength(before);
  },
);

test('a method in another case, or with other characters, is no method', async () => {
  const before = fixture.upstream.received.length;
  for (const method of ['get', 'Get', 'post', 'Post', 'GETT', 'POST2', 'DEL']) {
    const { status } = await send(method, '/v1/claims');
    expect([method, status]).toEqual([method, 400]);
  }
  expect(fixture.upstream.received).toHaveLength(before);
});

describe('another method that a request asks for', () => {
  const OVERRIDES = ['x-http-method-override', 'x-http-method', 'x-method-override', '_method'];
  const writes = operationList.filter(({ method, service }) => method !== 'GET' && service !== 'gateway');

  test.each(writes.map((operation) => [operation.id, operation] as const))(
    '%s is not executed by a GET or another write',
    async (_id, operation) => {
      const path = pathOf(operation);
      const before = fixture.upstream.received.length;
      const body = exampleOf(operation.body);
      const content = { 'content-type': 'application/json', 'idempotency-key': 'key-of-the-test' };
      for (const used of ['GET', 'POST'].filter((method) => method !== operation.method)) {
        for (const name of OVERRIDES) {
          await send(used, path, { ...content, [name]: operation.method }, used === 'GET' ? '' : body);
          await send(used, `${path}?${name}=${operation.method}`, content, used === 'GET' ? '' : body);
        }
        if (body !== undefined) await send(used, path, content, body);
      }
      const wrong = fixture.upstream.received
        .slice(before)
        .filter(({ method }) => method === operation.method);
      expect(wrong.filter(({ url }) => url.split('?')[0] === path)).toEqual([]);
    },
  );

  test('a body of a GET is rejected, or not forwarded', async () => {
    for (const operation of Object.values(operations).filter(
      ({ method, service }) => method === 'GET' && service !== 'gateway',
    )) {
      const before = fixture.upstream.received.length;
      await send('GET', pathOf(operation), { 'content-type': 'application/json' }, '{"a":1}');
      const forwarded = fixture.upstream.received.slice(before);
      expect([operation.id, forwarded.filter(({ body }) => body.length > 0)]).toEqual([operation.id, []]);
    }
  });
});
