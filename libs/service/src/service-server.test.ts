import { EventEmitter, once } from 'node:events';
import { Agent, get } from 'node:http';
import { text } from 'node:stream/consumers';
import { writeOnce } from '@carecover/commands';
import type { Issuer } from '@carecover/config';
import { type Caller, notFound, storedTenant } from '@carecover/domain';
import {
  CONTEXT_HEADER,
  createServiceApp,
  operatorAuthority,
  projectAuthority,
  serviceCaller,
  startHttpServer,
  TooEarly,
  WAIT_HEADER,
} from '@carecover/http';
import { connectPostgres, type Sql } from '@carecover/postgres';
import { COST_HEADER, createLog } from '@carecover/telemetry';
import { createTestDatabase, type TestDatabase } from '@carecover/testing/servers';
import { signerOf, TEST_ISSUER_KEYS } from '@carecover/testing/services';
import { deadLetteredEventsRoute } from './dead-lettered-events-route';

const caller: Caller = {
  tenant: storedTenant('prj_one'),
  environment: 'sandbox',
  authority: projectAuthority(storedTenant('prj_one'), 'key_one', null),
  requestId: '4a2f0e9c-0000-4000-8000-000000000000',
  scopes: ['*'],
  resourceIds: null,
  consentDefault: 'granted',
  endpointLimit: 50,
};

let database: TestDatabase;
let sql: Sql;
let app: ReturnType<typeof createServiceApp>;
let server: Awaited<ReturnType<typeof startHttpServer>>;
/** Controls a slow request: the request's handler emits `arrived`, and sends the response after the test emits `released`. */
const slow = new EventEmitter();

beforeAll(async () => {
  database = await createTestDatabase({ services: ['care'] });
  sql = connectPostgres(database.url('care'), 5, 'test');
  app = createServiceApp({
    service: 'care',
    contextKeys: TEST_ISSUER_KEYS,
    hashSecret: 'another secret of more than thirty-two characters',
    log: createLog('care', 'silent'),
    ready: async () => {
      await sql`select 1`;
    },
    handlers: {
      getBooking: async () => {
        throw notFound();
      },
      getSession: async () => {
        throw new TooEarly(1_234.5);
      },
      listBookings: async () => {
        await sql`select pg_sleep(0.05)`;
        return { status: 200, body: {} };
      },
      getPractitioner: async () => {
        throw new Error('the password is hunter2');
      },
      createBooking: (call) =>
        writeOnce(sql, call, call.replayStatus, async () => ({
          status: 201,
          body: { tenant: call.caller.tenant, body: call.body },
          resourceId: 'bkg_1',
        })),
    },
    operator: [deadLetteredEventsRoute(sql)],
    internal: [
      {
        method: 'GET',
        path: '/echo/:word',
        caller: 'benefits',
        handle: async (_caller, { word }) => ({ word }),
      },
      {
        method: 'GET',
        path: '/slow',
        caller: 'benefits',
        handle: async () => {
          slow.emit('arrived');
          await once(slow, 'released');
          return 'done';
        },
      },
    ],
  });
  server = await startHttpServer(app, '127.0.0.1', 0);
});
afterAll(async () => {
  await server.close();
  await sql.end();
  await database.drop();
});

const asService = (service: Issuer) =>
  signerOf(service).sign(serviceCaller('prj_one', 'sandbox', service, 'req_1'), 'care');

function call(method: string, path: string, init: { body?: string; key?: string; context?: string } = {}) {
  return fetch(`http://127.0.0.1:${server.port}${path}`, {
    method,
    headers: {
      [CONTEXT_HEADER]: init.context ?? signerOf('gateway').sign(caller, 'care'),
      'x-request-id': caller.requestId,
      ...(init.key === undefined ? {} : { 'idempotency-key': init.key }),
    },
    ...(init.body === undefined ? {} : { body: init.body }),
  });
}

test('a request without a signed context is rejected', async () => {
  const answer = await call('GET', '/v1/bookings/bkg_1', { context: 'forged.forged' });
  expect(answer.status).toBe(401);
});

test('a rejection is in the error envelope', async () => {
  const answer = await call('GET', '/v1/bookings/bkg_1');
  expect(answer.status).toBe(404);
  expect(await answer.json()).toEqual({
    error: {
      code: 'resource_not_found',
      message: 'The resource does not exist in this project: check its ID.',
      docs: expect.stringContaining('#resource_not_found'),
    },
  });
});

test('an operator reads the dead-lettered events of the chosen project alone; a key and a service are rejected', async () => {
  await sql`
    insert into outbox (event_id, project_id, resource_id, type, payload, dead_lettered_at, dead_letter_reason)
    values ('evt_own', 'prj_one', 'bkg_1', 'booking.held', '{}', platform.now(), 'too large'),
      ('evt_foreign', 'prj_two', 'bkg_2', 'booking.held', '{}', platform.now(), 'too large'),
      ('evt_waiting', 'prj_one', 'bkg_1', 'booking.held', '{}', null, null)`;
  const read = (context: string) => call('GET', '/operator/dead_lettered_events', { context });
  const operator = { ...caller, authority: operatorAuthority('one@example.com') };
  const answer = await read(signerOf('console').sign(operator, 'care'));
  expect([answer.status, await answer.json()]).toEqual([
    200,
    { data: [expect.objectContaining({ event_id: 'evt_own', project_id: 'prj_one', reason: 'too large' })] },
  ]);
  for (const context of [signerOf('gateway').sign(caller, 'care'), asService('benefits')])
    expect((await read(context)).status).toBe(403);
});

test('an internal error is reported without its text', async () => {
  const answer = await call('GET', '/v1/practitioners/prc_1');
  expect(answer.status).toBe(500);
  expect(await answer.text()).not.toContain('hunter2');
});

test('every response reports what it cost, and a request that is too early how long the gateway must wait', async () => {
  const list = await call('GET', '/v1/bookings');
  expect(Number(list.headers.get(COST_HEADER))).toBeGreaterThanOrEqual(49);
  const rejected = await call('GET', '/v1/bookings/bkg_1');
  expect(rejected.headers.get(COST_HEADER)).toBe('0.0');
  const early = await call('GET', '/v1/sessions/ses_1');
  expect([early.status, early.headers.get(WAIT_HEADER), early.headers.get('retry-after')]).toEqual([
    503,
    '1235',
    '2',
  ]);
});

test('an operation without a handler is 503 with Retry-After', async () => {
  const answer = await call('GET', '/v1/sessions');
  expect(answer.status).toBe(503);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
});

test('a replay has the same bytes, the status of the contract, and its header', async () => {
  const first = await call('POST', '/v1/bookings', { body: '{"a": 1, "b": 2}', key: 'the same key' });
  const replay = await call('POST', '/v1/bookings', { body: '{"b":2,"a":1}', key: 'the same key' });
  expect([first.status, replay.status]).toEqual([201, 200]);
  expect(first.headers.get('idempotent-replayed')).toBeNull();
  expect(replay.headers.get('idempotent-replayed')).toBe('true');
  expect(await replay.text()).toBe(await first.text());
});

test('a request with the largest head that the gateway accepts and the largest context gets a response', async () => {
  const resourceIds = Array.from({ length: 100 }, () => `bkg_${'a'.repeat(96)}`);
  const context = signerOf('gateway').sign({ ...caller, resourceIds }, 'care');
  const since = `2027-01-01T00:00:00.${'0'.repeat(15_000)}Z`;
  const answer = await call('GET', `/v1/bookings/bkg_1?created_after=${since}`, { context });
  expect(answer.status).toBe(404);
});

test('only its caller service can call an internal route, and no client of the gateway', async () => {
  const path = '/internal/echo/hello';
  expect(await (await call('GET', path, { context: asService('benefits') })).json()).toEqual({
    word: 'hello',
  });
  for (const context of [asService('claims'), signerOf('gateway').sign(caller, 'care')]) {
    const answer = await call('GET', path, { context });
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({ error: { code: 'permission_denied' } });
  }
});

test('health and metrics respond', async () => {
  expect((await call('GET', '/health/ready')).status).toBe(200);
  expect(await (await call('GET', '/metrics')).text()).toContain('carecover_http_request_duration_seconds');
});

test('a stopping server responds to the request in progress, and does not wait for keep-alive connections', async () => {
  const stopping = await startHttpServer(app, '127.0.0.1', 0);
  const agent = new Agent({ keepAlive: true });
  const arrived = once(slow, 'arrived');
  const underWay = new Promise<string>((resolve, reject) => {
    const headers = { [CONTEXT_HEADER]: asService('benefits') };
    get(`http://127.0.0.1:${stopping.port}/internal/slow`, { agent, headers }, (response) =>
      resolve(text(response)),
    ).on('error', reject);
  });
  await arrived;
  const stopped = stopping.close();
  slow.emit('released');
  expect(await underWay).toBe('"done"');
  await stopped;
  agent.destroy();
});
