import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Carecover, CarecoverConnectionError, CarecoverError, type ClaimId, hasCode } from './index.ts';

type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void;

let handler: Handler = () => undefined;
let baseUrl = '';
const server = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  handler(request, response, body);
});
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

function client(options: { maxRetries?: number; timeoutMs?: number } = {}) {
  return new Carecover({ apiKey: 'sk_test_key', baseUrl, ...options });
}

function respond(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

function reject(
  response: ServerResponse,
  status: number,
  code: string,
  headers: Record<string, string> = {},
) {
  respond(
    response,
    status,
    { error: { code, message: 'a message', docs: 'https://docs.example/#code' } },
    { 'x-request-id': 'req-1', ...headers },
  );
}

test('a write sends the API key, the body and the same idempotency key at every retry', async () => {
  const received: { path: string | undefined; key: unknown; auth: unknown; body: string }[] = [];
  handler = (request, response, body) => {
    received.push({
      path: request.url,
      key: request.headers['idempotency-key'],
      auth: request.headers.authorization,
      body,
    });
    if (received.length < 3) reject(response, 503, 'service_unavailable', { 'retry-after': '0' });
    else respond(response, 200, { id: 'clm_1', status: 'cancelled' });
  };
  const claim = await client().claims.cancel('clm_1', { reason_code: 'entered_in_error' });
  expect(claim.status).toBe('cancelled');
  expect(received).toHaveLength(3);
  expect(new Set(received.map((each) => each.key)).size).toBe(1);
  expect(received[0]).toMatchObject({
    path: '/v1/claims/clm_1/cancellations',
    auth: 'Bearer sk_test_key',
    body: '{"reason_code":"entered_in_error"}',
  });
});

test('an API error is thrown without a retry, with the contents of the response', async () => {
  let calls = 0;
  handler = (_request, response) => {
    calls += 1;
    reject(response, 409, 'slot_unavailable');
  };
  const error = await client()
    .claims.retrieve('clm_1')
    .then(
      () => null,
      (thrown: unknown) => thrown,
    );
  expect(error).toBeInstanceOf(CarecoverError);
  expect(error).toMatchObject({
    status: 409,
    code: 'slot_unavailable',
    message: 'a message',
    requestId: 'req-1',
  });
  expect(hasCode(error, 'slot_unavailable')).toBe(true);
  expect(hasCode(error, 'rate_limited')).toBe(false);
  expect(calls).toBe(1);
});

test('a 429 is retried until maxRetries', async () => {
  let calls = 0;
  handler = (_request, response) => {
    calls += 1;
    reject(response, 429, 'rate_limited', { 'retry-after': '0' });
  };
  await expect(client({ maxRetries: 2 }).api.retrieve()).rejects.toMatchObject({
    code: 'rate_limited',
    retryAfterSeconds: 0,
  });
  expect(calls).toBe(3);
});

test('a call is retried after a lost connection', async () => {
  let calls = 0;
  handler = (request, response) => {
    calls += 1;
    if (calls === 1) request.socket.destroy();
    else respond(response, 200, { version: 'v1' });
  };
  await expect(client().api.retrieve()).resolves.toEqual({ version: 'v1' });
});

test.each([301, 302, 307, 308])(
  'a redirect with status %i is not followed, and is a connection error',
  async (status) => {
    const received: string[] = [];
    handler = (request, response) => {
      received.push(`${request.method} ${request.url}`);
      if (request.url?.endsWith('/elsewhere') === true) respond(response, 200, { id: 'clm_1' });
      else respond(response, status, { id: 'clm_1' }, { location: '/v1/elsewhere' });
    };
    await expect(client().claims.cancel('clm_1', { reason_code: 'entered_in_error' })).rejects.toThrow(
      new CarecoverConnectionError(
        `the response with status ${status} is a redirect, which is not followed: set baseUrl to the URL of the API itself`,
      ),
    );
    expect(received).toEqual(['POST /v1/claims/clm_1/cancellations']);
  },
);

test('a timeout and a response that is not from the service are connection errors', async () => {
  handler = () => undefined;
  await expect(client({ timeoutMs: 30, maxRetries: 0 }).api.retrieve()).rejects.toBeInstanceOf(
    CarecoverConnectionError,
  );
  handler = (_request, response) => response.writeHead(502).end('<html>bad gateway</html>');
  await expect(client({ maxRetries: 0 }).api.retrieve()).rejects.toBeInstanceOf(CarecoverConnectionError);
});

test('an incomplete success response is a connection error', async () => {
  handler = (_request, response) => response.writeHead(200).end('{"version":');
  await expect(client({ maxRetries: 0 }).api.retrieve()).rejects.toBeInstanceOf(CarecoverConnectionError);
});

test('a write without an idempotency key is not retried if its outcome is unknown', async () => {
  let calls = 0;
  handler = (request) => {
    calls += 1;
    request.socket.destroy();
  };
  await expect(client().webhookEndpoints.rotateSecret('whe_1')).rejects.toBeInstanceOf(
    CarecoverConnectionError,
  );
  expect(calls).toBe(1);
  handler = (_request, response) => {
    calls += 1;
    if (calls === 2) reject(response, 429, 'rate_limited', { 'retry-after': '0' });
    else respond(response, 200, { id: 'whe_1' });
  };
  await expect(client().webhookEndpoints.rotateSecret('whe_1')).resolves.toEqual({ id: 'whe_1' });
});

test('a Retry-After of more than two minutes is not waited for', async () => {
  handler = (_request, response) => reject(response, 503, 'service_unavailable', { 'retry-after': '3600' });
  await expect(client().api.retrieve()).rejects.toMatchObject({ retryAfterSeconds: 3600 });
});

test.each([
  ['seconds', '3600', {}],
  ['a date', new Date(Date.now() + 3_600_000).toUTCString(), {}],
  [
    'a date, relative to the Date header',
    'Fri, 31 Dec 1999 23:59:59 GMT',
    { date: 'Fri, 31 Dec 1999 22:59:59 GMT' },
  ],
])("the client obeys a proxy's Retry-After as %s", async (_form, retryAfter, headers) => {
  let calls = 0;
  handler = (_request, response) => {
    calls += 1;
    response.writeHead(503, { 'retry-after': retryAfter, ...headers }).end('<html>at capacity</html>');
  };
  await expect(client().api.retrieve()).rejects.toBeInstanceOf(CarecoverConnectionError);
  expect(calls).toBe(1);
});

test.each(['Fri, 31 Dec 1999 23:59:59 GMT', '-1', '1.5', 'soon', ''])(
  'the Retry-After %p is ignored and the call is retried with backoff',
  async (retryAfter) => {
    let calls = 0;
    handler = (_request, response) => {
      calls += 1;
      if (calls === 1) reject(response, 503, 'service_unavailable', { 'retry-after': retryAfter });
      else respond(response, 200, { version: 'v1' });
    };
    await expect(client().api.retrieve()).resolves.toEqual({ version: 'v1' });
  },
);

test.each([
  { error: 'Too many requests' },
  { error: { code: 429, message: 'Too many requests', docs: '' } },
  { error: { code: 'rate_limited' } },
  { message: 'Too many requests' },
  null,
])('%j is not an API error', async (body) => {
  handler = (_request, response) => respond(response, 429, body);
  const error = await client({ maxRetries: 0 })
    .api.retrieve()
    .then(
      () => null,
      (thrown: unknown) => thrown,
    );
  expect(error).toBeInstanceOf(CarecoverConnectionError);
  expect(String(error)).toContain('429');
});

test.each(['', '..', 'clm_1/../..', 'clm_1?x'])(
  '%p is not an identifier, and no request is sent',
  async (id) => {
    handler = () => {
      throw new Error('a request was sent');
    };
    // The compiler rejects some of these identifiers, but a program in JavaScript or with a cast can pass them.
    await expect(client().claims.retrieve(id as ClaimId)).rejects.toThrow(TypeError);
  },
);

test('an abort ends the call and its retries, and the call throws the reason', async () => {
  handler = (_request, response) => reject(response, 503, 'service_unavailable', { 'retry-after': '60' });
  const controller = new AbortController();
  const call = client().api.retrieve({ signal: controller.signal });
  setTimeout(() => controller.abort(new Error('aborted')), 30);
  await expect(call).rejects.toThrow('aborted');
});

test.each(['never', 'before the call'])(
  'an attempt ends at its timeout also with a signal that is aborted %s',
  async (aborted) => {
    handler = () => undefined;
    const controller = new AbortController();
    if (aborted !== 'never') controller.abort(new Error('aborted'));
    const { signal } = controller;
    await expect(client().api.retrieve({ signal, timeoutMs: 20, maxRetries: 0 })).rejects.toThrow(
      aborted === 'never' ? CarecoverConnectionError : 'aborted',
    );
  },
);

test('a test delivery that the receiver did not accept is a result, not an error', async () => {
  handler = (_request, response) =>
    respond(response, 502, { object: 'webhook_delivery', id: 'evt_1', delivered: false });
  await expect(client().webhookEndpoints.test('whe_1')).resolves.toMatchObject({ delivered: false });
});

test.each(['<html>Bad Gateway</html>', '{"message":"bad gateway"}', 'null'])(
  'a 502 of a proxy is no test delivery, and the call is repeated: %s',
  async (page) => {
    let requests = 0;
    handler = (_request, response) => {
      requests += 1;
      if (requests === 1) response.writeHead(502).end(page);
      else respond(response, 200, { object: 'webhook_delivery', id: 'evt_1', delivered: true });
    };
    await expect(client().webhookEndpoints.test('whe_1')).resolves.toMatchObject({ delivered: true });
    expect(requests).toBe(2);
  },
);

test('await returns the first page of a list, and for await every item', async () => {
  const pages: Record<string, unknown> = {
    '/v1/claims?limit=2': { object: 'list', data: [{ id: 'clm_4' }, { id: 'clm_3' }], has_more: true },
    '/v1/claims?limit=2&starting_after=clm_3': { object: 'list', data: [{ id: 'clm_2' }], has_more: false },
  };
  handler = (request, response) => respond(response, 200, pages[request.url ?? '']);
  expect((await client().claims.list({ limit: 2 })).data).toHaveLength(2);
  const ids: string[] = [];
  for await (const claim of client().claims.list({ limit: 2 })) ids.push(claim.id);
  expect(ids).toEqual(['clm_4', 'clm_3', 'clm_2']);
});

test('a list is a promise of its first page, which is requested once and only if it is used', async () => {
  let requests = 0;
  handler = (_request, response) => {
    requests += 1;
    respond(response, 200, { object: 'list', data: [{ id: `clm_${requests}` }], has_more: false });
  };
  const list = client().claims.list();
  await new Promise((resolve) => setImmediate(resolve));
  expect(requests).toBe(0);
  expect(list).toBeInstanceOf(Promise);
  const [page, same] = await Promise.all([list, list]);
  expect(same).toBe(page);
  expect(await list.finally(() => undefined)).toBe(page);
  expect(requests).toBe(1);
  const ids: string[] = [];
  for await (const { id } of list) ids.push(id);
  expect([page.data[0]?.id, ...ids]).toEqual(['clm_1', 'clm_2']);

  handler = (_request, response) => reject(response, 403, 'permission_denied');
  const rejected = client().claims.list();
  expect(await rejected.catch((error: unknown) => hasCode(error, 'permission_denied'))).toBe(true);
  await expect(client().claims.list()).rejects.toBeInstanceOf(CarecoverError);
});

test.each([
  [{ baseUrl: '', apiKey: 'sk_test_key' }, 'baseUrl must be the URL of the API with its version'],
  [{ baseUrl: '/v1', apiKey: 'sk_test_key' }, 'it is no URL'],
  [{ baseUrl: 'https://localhost:8443/v1', apiKey: '' }, 'apiKey must be a secret key (sk_…) or a token'],
])('options without a URL or a key are rejected with what is missing: %j', (options, message) => {
  expect(() => new Carecover(options)).toThrow(TypeError);
  expect(() => new Carecover(options)).toThrow(message);
});

test.each([
  [
    Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' }),
    /ECONNREFUSED 127\.0\.0\.1:1$/,
  ],
  [new AggregateError([new Error('connect ECONNREFUSED ::1:1')]), /ECONNREFUSED ::1:1$/],
  [
    Object.assign(new Error('unable to verify the first certificate'), {
      code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    }),
    /unable to verify the first certificate \(set NODE_EXTRA_CA_CERTS/,
  ],
])('a lost connection names the innermost reason: %s', async (cause, message) => {
  const failing = (() => Promise.reject(new TypeError('fetch failed', { cause }))) as typeof fetch;
  const unreachable = new Carecover({ apiKey: 'sk_test_key', baseUrl, fetch: failing, maxRetries: 0 });
  await expect(unreachable.api.retrieve()).rejects.toThrow(CarecoverConnectionError);
  await expect(unreachable.api.retrieve()).rejects.toThrow(message);
});
