/** The capacity of projects, in a running gateway: what one project can use of a service, and what is left to the others. */
import type { ServerResponse } from 'node:http';
import { WAIT_HEADER } from '@carecover/http';
import { COST_HEADER } from '@carecover/telemetry';
import { eventually } from '@carecover/testing/servers';
import { codeOf, GatewayFixture, type TestGateway } from './testing/gateway-fixture';

const SETTINGS = { PROJECT_REQUESTS: '4', PROJECT_LONG_REQUESTS: '2' };
const TEST = '/v1/webhook_endpoints/whe_1/test';

let fixture: GatewayFixture;
let gateway: TestGateway;
let busyKey: string;
let quietKey: string;
/** The responses that the service has not sent yet. */
let held: ServerResponse[];

beforeAll(async () => {
  fixture = await GatewayFixture.start();
  gateway = await fixture.gateway(SETTINGS);
});
beforeEach(async () => {
  busyKey = (await fixture.project()).secret_key;
  quietKey = (await fixture.project()).secret_key;
  held = [];
});
afterEach(() => {
  fixture.upstream.respond = undefined;
});
afterAll(() => fixture.stop());

/** Makes the service hold its responses to the requests of one project. */
function holdResponsesTo(isHeld: (url: string, authority: string) => boolean): void {
  fixture.upstream.respond = ({ url, caller }, response) => {
    if (isHeld(url, caller?.authority ?? '')) held.push(response);
    else response.end('{}');
  };
}

async function releaseAll(requests: readonly Promise<unknown>[]): Promise<void> {
  const releasing = setInterval(() => {
    for (const response of held.splice(0)) response.end('{}');
  }, 5);
  await Promise.all(requests);
  clearInterval(releasing);
}

const send = (path: string, key: string, method = 'GET', body?: object) =>
  gateway.request(path, { key, method, ...(body === undefined ? {} : { body }) });

test('the reads of a project that a service holds leave permits for its commands, and for the reads of another project', async () => {
  holdResponsesTo((url) => url === '/v1/claims?limit=7');
  const reads = Array.from({ length: 20 }, () => send('/v1/claims?limit=7', busyKey));
  await eventually('its permits are in use', async () => held.length === 4);
  const reason = { reason_code: 'entered_in_error' };
  const command = await gateway.request('/v1/claims/clm_1/cancellations', {
    key: busyKey,
    body: reason,
    headers: { 'idempotency-key': 'cancel-claim' },
  });
  const others = await Promise.all(Array.from({ length: 4 }, () => send('/v1/claims', quietKey)));
  expect([command.status, ...others.map(({ status }) => status)]).toEqual([200, 200, 200, 200, 200]);
  expect(held).toHaveLength(4);
  await releaseAll(reads);
});

test('tests of endpoints that wait for receivers leave permits for all other requests to the service', async () => {
  holdResponsesTo((url) => url === TEST);
  const tests = Array.from({ length: 20 }, () => send(TEST, busyKey, 'POST'));
  await eventually('two tests wait for receivers', async () => held.length === 2);
  for (const key of [busyKey, quietKey]) expect((await send('/v1/webhook_endpoints', key)).status).toBe(200);
  expect(held).toHaveLength(2);
  await releaseAll(tests);
});

test('a project whose answers cost more than its processor time waits, and gets 429 after that; another project does not wait', async () => {
  fixture.upstream.respond = ({ url }, response) => {
    if (url === '/v1/claims?limit=7') response.setHeader(COST_HEADER, '20000');
    response.end('{}');
  };
  const first = await send('/v1/claims?limit=7', busyKey);
  expect([first.status, first.headers.get(COST_HEADER)]).toEqual([200, null]);
  const startedMs = performance.now();
  const late = send('/v1/claims', busyKey);
  const others = await Promise.all(Array.from({ length: 20 }, () => send('/v1/claims', quietKey)));
  expect(others.map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect(performance.now() - startedMs).toBeLessThan(9_000);
  const rejected = await late;
  expect([rejected.status, codeOf(rejected)]).toEqual([429, 'rate_limited']);
  expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(10);
});

test('a project whose file a service did not answer is charged the time that the service had it; another project does not wait', async () => {
  const small = await fixture.gateway({ ...SETTINGS, REQUEST_COST_MS: '5' });
  fixture.upstream.respond = ({ method }, response) => {
    if (method === 'POST') setTimeout(() => response.destroy(), 1_000);
    else response.end('{}');
  };
  const upload = await fetch(`${small.origin}/v1/bulk_jobs?kind=claims`, {
    method: 'POST',
    headers: {
      'x-forwarded-proto': 'https',
      authorization: `Bearer ${busyKey}`,
      'content-type': 'application/x-ndjson',
      'idempotency-key': crypto.randomUUID(),
    },
    body: '{}\n',
  });
  expect(upload.status).toBe(503);
  const timeOf = async (key: string) => {
    const startedMs = performance.now();
    await small.request('/v1/claims', { key });
    return performance.now() - startedMs;
  };
  const [busyMs, quietMs] = await Promise.all([timeOf(busyKey), timeOf(quietKey)]);
  expect(busyMs).toBeGreaterThan(quietMs + 1_000);
});

test('a request that the service calls too early waits without a permit and is sent again', async () => {
  const early = new Set<string>();
  let again = 0;
  fixture.upstream.respond = ({ url }, response) => {
    if (!url.includes('/valuation')) return void response.end('{}');
    if (!early.has(url)) {
      early.add(url);
      return void response.writeHead(503, { [WAIT_HEADER]: '4000', 'retry-after': '4' }).end('{}');
    }
    again += 1;
    response.end('{"late":true}');
  };
  const answers = Promise.all(
    Array.from({ length: 50 }, (_, second) =>
      send(`/v1/claims/clm_1/valuation?valuation_at=2027-02-20T09:00:${10 + second}Z`, busyKey),
    ),
  );
  await eventually('all were sent once', async () => early.size === 50);
  // All 50 wait, more than the project has permits. Its other requests are answered meanwhile.
  const others = await Promise.all([busyKey, quietKey].map((key) => send('/v1/claims', key)));
  expect(others.map(({ status }) => status)).toEqual([200, 200]);
  expect(again).toBeLessThan(50);
  const late = await answers;
  expect(late.map(({ status, text }) => [status, text])).toEqual(Array(50).fill([200, '{"late":true}']));
  expect(late.every(({ headers }) => headers.get(WAIT_HEADER) === null)).toBe(true);
  expect(again).toBe(50);
});

test('a request that a service calls too early again and again is 503', async () => {
  fixture.upstream.respond = (_, response) =>
    response.writeHead(503, { [WAIT_HEADER]: '2500', 'retry-after': '3' }).end('{}');
  const answer = await send('/v1/claims', busyKey);
  expect([answer.status, codeOf(answer)]).toEqual([503, 'service_unavailable']);
  expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
});
