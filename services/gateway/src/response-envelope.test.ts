import { once } from 'node:events';
import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ClientAddress, parseNetworks } from '@carecover/http';
import { connectPostgres, type Sql } from '@carecover/postgres';
import { createLog, HttpMetrics } from '@carecover/telemetry';
import { eventually } from '@carecover/testing/servers';
import { signerOf } from '@carecover/testing/services';
import { Advances } from './clocks/advances';
import { DueItemCalls } from './clocks/due-items';
import { createGateway } from './gateway';
import { ProjectCapacity } from './project-capacity';
import { AdmissionStore } from './store/admissions';
import { GatewayFixture } from './testing/gateway-fixture';
import { Upstream } from './upstream';

let fixture: GatewayFixture;
let sql: Sql;
let server: Server;
let upstream: Upstream;
let project: Awaited<ReturnType<GatewayFixture['project']>>;
/** The lines of the gateway's log about requests. */
const lines: Record<string, unknown>[] = [];
const metrics = new HttpMetrics('gateway');
const observe = jest.spyOn(metrics, 'observe');

beforeAll(async () => {
  fixture = await GatewayFixture.start();
  project = await fixture.project();
  sql = connectPostgres(fixture.database.url('gateway'), 2, 'answers-test');
  const log = createLog('gateway', 'info', {
    write: (line) => {
      const parsed = JSON.parse(line);
      if ('request_id' in parsed) lines.push(parsed);
    },
  });
  upstream = new Upstream('care', [fixture.upstream.url], log);
  const upstreams = {
    care: upstream,
    benefits: upstream,
    claims: upstream,
    payments: upstream,
    webhooks: upstream,
  };
  const signer = signerOf('gateway');
  const capacity = new ProjectCapacity(
    { requestCostMs: 30, requestsOfProject: 16, longRequestsOfProject: 2 },
    () => 1,
    log,
  );
  const app = createGateway({
    advances: new Advances(sql, new DueItemCalls(upstreams, signer, capacity, 'sandbox'), log),
    environment: 'sandbox',
    sql,
    store: new AdmissionStore(sql),
    addresses: new ClientAddress(parseNetworks('127.0.0.1') ?? null),
    upstreams,
    capacity,
    signer,
    publicUrl: null,
    consoleUrl: null,
    hsts: false,
    unauthenticatedLimit: 1_000,
    log,
    metrics,
  });
  server = createServer(app.callback()).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(async () => {
  server.close().closeAllConnections();
  await upstream.close();
  await sql.end();
  await fixture.stop();
});
beforeEach(() => {
  lines.length = 0;
  observe.mockClear();
});
afterEach(() => {
  fixture.upstream.respond = undefined;
});

const REQUEST_ID = '0f8fad5b-d9cb-469f-a165-70867728950e';

/** Starts a request of the API. The caller ends it. */
function open(method: string, path: string, accept = 'application/json') {
  return httpRequest({
    agent: false,
    host: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    method,
    path,
    headers: {
      'x-forwarded-proto': 'https',
      'x-request-id': REQUEST_ID,
      authorization: `Bearer ${project.secret_key}`,
      accept,
      ...(method === 'POST' && { 'content-type': 'application/json', 'idempotency-key': 'a-key-of-8' }),
    },
  }).on('error', () => undefined);
}

const cancel = () => open('POST', '/v1/bookings/bkg_1/cancellations');
const CANCEL = JSON.stringify({ reason_code: 'ill' });
const logged = () => eventually('the request is logged', async () => lines.length > 0);

test('a request is logged once with its key, its operation and the status of the response', async () => {
  const sent = cancel().end(CANCEL);
  const [response] = await once(sent, 'response');
  response.resume();
  await logged();
  expect(lines).toMatchObject([
    { request_id: REQUEST_ID, key_id: project.key_id, operation: 'cancelBooking', status: 200 },
  ]);
  expect(lines[0]).not.toHaveProperty('delivered');
  expect(observe.mock.calls).toEqual([['cancelBooking', 200, expect.any(Number)]]);
});

test('a write whose client resets the connection while the service works is logged as not delivered, with the status', async () => {
  const closed = new Promise((resolve) => {
    server.once('connection', (socket) => socket.once('close', resolve));
  });
  const sent = cancel();
  fixture.upstream.respond = async (_, response) => {
    sent.socket?.resetAndDestroy();
    await closed;
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  };
  sent.end(CANCEL);
  await logged();
  expect(lines).toMatchObject([
    {
      request_id: REQUEST_ID,
      key_id: project.key_id,
      operation: 'cancelBooking',
      status: 200,
      delivered: false,
    },
  ]);
  expect(observe.mock.calls).toEqual([['cancelBooking', 200, expect.any(Number)]]);
});

test('a download that the client ends early is logged once, as not delivered', async () => {
  fixture.upstream.respond = (_, response) => {
    response.writeHead(200, { 'content-type': 'text/csv' }).write('id\r\n');
    response.on('error', () => undefined);
  };
  const sent = open('GET', '/v1/valuation_runs/vrun_1/claims', 'text/csv').end();
  const [response] = await once(sent, 'response');
  response.on('error', () => undefined).once('data', () => sent.destroy());
  await logged();
  expect(lines).toMatchObject([{ operation: 'listValuationRunClaims', status: 200, delivered: false }]);
  expect(observe).toHaveBeenCalledTimes(1);
});
