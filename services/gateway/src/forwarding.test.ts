import { createServer, type Socket } from 'node:net';
import { newId } from '@carecover/domain';
import { ContextVerifier } from '@carecover/http';
import { createLog } from '@carecover/telemetry';
import { freePort } from '@carecover/testing/servers';
import { TEST_ISSUER_KEYS } from '@carecover/testing/services';
import { setProject } from './store/projects';
import { codeOf, GatewayFixture, type TestGateway } from './testing/gateway-fixture';

let fixture: GatewayFixture;
let gateway: TestGateway;
let project: Awaited<ReturnType<GatewayFixture['project']>>;

beforeAll(async () => {
  fixture = await GatewayFixture.start();
  gateway = await fixture.gateway();
  project = await fixture.project();
});
afterAll(() => fixture.stop());
afterEach(() => {
  fixture.upstream.respond = undefined;
});

function lastReceived() {
  const received = fixture.upstream.received.at(-1);
  if (received === undefined) throw new Error('the service received nothing');
  return received;
}

const get = (path: string, headers: Record<string, string> = {}) =>
  gateway.request(path, { key: project.secret_key, headers });

test('the service receives the caller only in the signed context', async () => {
  const answer = await get('/v1/claims?limit=5&status=draft', {
    'x-carecover-context': 'forged',
    'x-forwarded-for': '198.51.100.7',
    cookie: 'a=b',
    traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
  });
  const received = lastReceived();
  expect(received).toMatchObject({ method: 'GET', url: '/v1/claims?limit=5&status=draft' });
  expect(received.caller).toEqual({
    tenant: project.project_id,
    environment: 'sandbox',
    authority: `project:${project.project_id}/key:${project.key_id}`,
    requestId: answer.headers.get('x-request-id'),
    scopes: ['*'],
    resourceIds: null,
    consentDefault: 'granted',
    endpointLimit: 50,
    currencies: null,
  });
  const { headers } = received;
  expect(headers['x-request-id']).toBe(answer.headers.get('x-request-id'));
  expect(headers.traceparent).toBe(`00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`);
  expect([headers.authorization, headers.cookie, headers['x-forwarded-for']]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test('a signed context is invalid after one minute', () => {
  const header = String(lastReceived().headers['x-carecover-context']);
  const verifier = new ContextVerifier('claims', TEST_ISSUER_KEYS, createLog('test', 'silent'));
  expect(verifier.verify(header, 'req_1')).not.toBeNull();
  expect(verifier.verify(header, 'req_1', Date.now() + 61_000)).toBeNull();
});

test("the signed context contains the project's consent default", async () => {
  const strict = await fixture.project();
  await setProject(fixture.sql, 'tests', strict.project_id, { consentDefault: 'withdrawn' });
  await gateway.request('/v1/claims', { key: strict.secret_key });
  expect(lastReceived().caller?.consentDefault).toBe('withdrawn');
});

test("the signed context contains the project's current limit of webhook endpoints", async () => {
  const { project_id, secret_key } = await fixture.project();
  const forwardedLimit = async () => {
    await gateway.request('/v1/claims', { key: secret_key });
    return lastReceived().caller?.endpointLimit;
  };
  expect(await forwardedLimit()).toBe(50);
  await setProject(fixture.sql, 'tests', project_id, { endpointLimit: 3 });
  expect(await forwardedLimit()).toBe(3);
});

test('a request in a currency that the project does not accept is rejected; the signed context contains the currencies', async () => {
  const { project_id, secret_key: key } = await fixture.project();
  const set = (currencies: string[]) => setProject(fixture.sql, 'tests', project_id, { currencies });
  expect(await set(['KES', 'USD', 'KES'])).toMatchObject({ currencies: ['KES', 'USD'] });
  const check = (currency: string) =>
    gateway.request('/v1/eligibility_checks', {
      key,
      headers: { 'idempotency-key': newId('key_') },
      body: {
        ...{ member_reference: 'member:1', service_code: 'psy.individual.50', amount: 5, currency },
        scheduled_at: '2030-01-01T00:00:00Z',
      },
    });
  const rejected = await check('EUR');
  expect([rejected.status, rejected.body]).toMatchObject([
    400,
    {
      error: {
        code: 'validation_failed',
        message: '/currency must be a currency that the project accepts: KES, USD.',
      },
    },
  ]);
  expect((await check('USD')).status).toBe(200);
  expect(lastReceived().caller?.currencies).toEqual(['KES', 'USD']);
  await expect(set(['KES', 'XXX'])).rejects.toThrow('XXX is not');
  expect(await set([])).toMatchObject({ currencies: null });
  expect((await check('EUR')).status).toBe(200);
});

test('the service receives one spelling of a path, so it recognizes a retry', async () => {
  await get('/v1/claims/clm%5F1');
  expect(lastReceived().url).toBe('/v1/claims/clm_1');
});

test('only the headers that an operation reads are forwarded', async () => {
  await gateway.request('/v1/webhook_endpoints/whe_1', {
    key: project.secret_key,
    method: 'DELETE',
    headers: { 'idempotency-key': 'retry-me-1', 'x-artifact-reference': 'file-1' },
  });
  const { headers } = lastReceived();
  expect([headers['idempotency-key'], headers['x-artifact-reference']]).toEqual(['retry-me-1', undefined]);
});

test('the response is returned byte for byte with its status and Idempotent-Replayed', async () => {
  fixture.upstream.respond = (_, response) =>
    response
      .writeHead(201, {
        'content-type': 'application/json',
        'idempotent-replayed': 'true',
        'x-inner': 'secret',
      })
      .end('{"a": 1 }');
  const answer = await get('/v1/claims');
  expect([answer.status, answer.text]).toEqual([201, '{"a": 1 }']);
  expect(answer.headers.get('idempotent-replayed')).toBe('true');
  expect(answer.headers.get('x-inner')).toBeNull();
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
});

test("the docs of a service's error link to this gateway; another response with an error status is unchanged", async () => {
  const error = { code: 'invalid_state', message: 'It is settled.', docs: '/docs/errors#invalid_state' };
  fixture.upstream.respond = (_, response) => response.writeHead(409).end(JSON.stringify({ error }));
  expect((await get('/v1/claims')).body).toEqual({
    error: { ...error, docs: `https://127.0.0.1:${gateway.port}/docs/errors#invalid_state` },
  });
  const delivery =
    '{"id":"evt_1","object":"webhook_delivery","delivered":false,"attempts":3,"response_status":null}';
  fixture.upstream.respond = (_, response) => response.writeHead(502).end(delivery);
  const failed = await gateway.request('/v1/webhook_endpoints/whe_1/test', {
    key: project.secret_key,
    method: 'POST',
  });
  expect([failed.status, failed.text]).toEqual([502, delivery]);
});

test('a service that rejects the signed context is unavailable: 503 with Retry-After', async () => {
  fixture.upstream.respond = (_, response) =>
    response.writeHead(401).end('{"error":{"code":"api_key_invalid","message":"no","docs":""}}');
  const answer = await get('/v1/claims');
  expect([answer.status, codeOf(answer)]).toEqual([503, 'service_unavailable']);
  expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
});

test('an invalid response of a service is an internal error: 500 without its text', async () => {
  fixture.upstream.respond = (_, response) => response.writeHead(502).end('<html>inner 10.0.0.7</html>');
  const answer = await get('/v1/claims');
  expect([answer.status, codeOf(answer)]).toEqual([500, 'internal_error']);
  expect(answer.text).not.toContain('10.0.0.7');
});

test('an incomplete response of a service is 503', async () => {
  fixture.upstream.respond = (_, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('{"a":');
    setTimeout(() => response.destroy(), 20);
  };
  expect(codeOf(await get('/v1/claims'))).toBe('service_unavailable');
});

test('an unreachable replica is skipped; without another replica the response is 503', async () => {
  const unreachable = `http://127.0.0.1:${await freePort()}`;
  const withSpare = await fixture.gateway({ CLAIMS_URL: `${unreachable},${fixture.upstream.url}` });
  for (let attempt = 0; attempt < 6; attempt++) {
    expect((await withSpare.request('/v1/claims', { key: project.secret_key })).status).toBe(200);
  }
  const withoutSpare = await fixture.gateway({ CLAIMS_URL: `${unreachable},${unreachable}` });
  expect(codeOf(await withoutSpare.request('/v1/claims', { key: project.secret_key }))).toBe(
    'service_unavailable',
  );
});

test('a service that never responds does not affect other services', async () => {
  const held: Socket[] = [];
  const silent = createServer((socket) => held.push(socket));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as { port: number };
  const separate = await fixture.gateway({ CLAIMS_URL: `http://127.0.0.1:${port}` });
  const send = (path: string) => separate.request(path, { key: project.secret_key });
  const stuck = Array.from({ length: 100 }, () => send('/v1/claims'));
  const others = await Promise.all(Array.from({ length: 50 }, () => send('/v1/bookings')));
  expect(others.map(({ status }) => status)).toEqual(Array(50).fill(200));
  silent.close();
  for (const socket of held) socket.destroy();
  expect((await Promise.all(stuck)).map((answer) => codeOf(answer))).toEqual(
    Array(100).fill('service_unavailable'),
  );
});

test('a response above the limit of unread responses is aborted with 503 while it arrives, and is requested once', async () => {
  const mebibyte = Buffer.alloc(1024 * 1024, 'x');
  let sent = 0;
  const closed = new Promise<void>((resolve) => {
    fixture.upstream.respond = (received, response) => {
      // An earlier test made the replica fail, so that the gateway can be sending liveness probes to it.
      if (received.url !== '/v1/claims') return void response.end();
      const send = () => {
        sent += 1;
        response.write(mebibyte, (error) => (error || response.destroyed ? undefined : setImmediate(send)));
      };
      response.on('close', resolve);
      send();
    };
  });
  const count = () => fixture.upstream.received.filter(({ url }) => url === '/v1/claims').length;
  const before = count();
  const answer = await get('/v1/claims');
  expect([answer.status, codeOf(answer)]).toEqual([503, 'service_unavailable']);
  await closed;
  expect(count()).toBe(before + 1);
  expect(sent).toBeLessThan(64);
  fixture.upstream.respond = undefined;
  expect((await get('/v1/claims')).status).toBe(200);
});
