/** Tests the operators' routes that close a day, decide about rows, and preview the withdrawal of an advice, over HTTP with signed contexts. */
import { Readable } from 'node:stream';
import { createServiceApp, startHttpServer } from '@carecover/http';
import { connectPostgres, type Sql } from '@carecover/postgres';
import { createLog } from '@carecover/telemetry';
import { createTestDatabase, type TestDatabase } from '@carecover/testing/servers';
import { askOperatorRoute, newTenant, SERVICE_SECRET, TEST_ISSUER_KEYS } from '@carecover/testing/services';
import { listOpenEntries } from '../store/bank-entries';
import { Bookkeeper } from '../testing/bookkeeper';
import { importSettlements } from '../use-cases/import-settlements';
import { operatorRoutes } from './operator';

let database: TestDatabase;
let sql: Sql;
let books: Bookkeeper;
let server: Awaited<ReturnType<typeof startHttpServer>>;

beforeAll(async () => {
  database = await createTestDatabase({ services: ['payments'] });
  sql = connectPostgres(database.url('payments'), 10, 'test');
  books = new Bookkeeper(sql);
  const app = createServiceApp({
    service: 'payments',
    handlers: {},
    operator: operatorRoutes(books.deps),
    contextKeys: TEST_ISSUER_KEYS,
    hashSecret: SERVICE_SECRET,
    log: createLog('payments', 'silent'),
    ready: async () => undefined,
  });
  server = await startHttpServer(app, '127.0.0.1', 0);
});
afterAll(async () => {
  await server.close();
  await sql.end();
  await database.drop();
});

type Asked = Parameters<typeof askOperatorRoute>[5];
const ask = (path: string, asked: Asked, tenant = books.tenant) =>
  askOperatorRoute('payments', server.port, tenant, 'POST', path, asked);

let path: string;
beforeAll(async () => {
  const file =
    'source_reference,payer_reference,currency,amount,observed_at\nB-1,unknown,KES,40,2026-11-18\n';
  await importSettlements({
    sql,
    isDryRun: false,
    author: { tenant: books.tenant, environment: 'sandbox', authority: 'operator:test' },
    file: 'bank.csv',
    format: 'csv',
    open: () => Readable.from([file]),
  });
  const [row] = await listOpenEntries(sql, books.tenant);
  path = `/unmatched_rows/${row?.row}`;
});

const REASON = { body: { reason: 'the advice follows' } };
const UNTIL = { body: { ...REASON.body, until: '2099-01-31T20:59:59.999Z' } };

test('a row is expected, open again and not ours, and each needs a reason', async () => {
  for (const act of ['expectations', 'dismissals', 'reopenings'])
    for (const body of [
      undefined,
      {},
      { reason: '' },
      { reason: 7 },
      { reason: 'a\u0000b' },
      { reason: ' ' },
    ]) {
      const { status } = await ask(`${path}/${act}`, { body: { ...body, until: UNTIL.body.until } });
      expect([act, body, status]).toEqual([act, body, 400]);
    }
  for (const until of [undefined, 'tomorrow', '2026-01-01T00:00:00Z'])
    expect((await ask(`${path}/expectations`, { body: { ...REASON.body, until } })).status).toBe(400);
  expect((await ask(`${path}/reopenings`, REASON)).status).toBe(404);
  expect(await ask(`${path}/expectations`, UNTIL)).toMatchObject({ status: 200, body: { dismissed: false } });
  expect(await listOpenEntries(sql, books.tenant)).toEqual([]);
  expect((await ask(`${path}/reopenings`, REASON)).status).toBe(200);
  expect(await listOpenEntries(sql, books.tenant)).toHaveLength(1);
  expect(await ask(`${path}/dismissals`, REASON)).toMatchObject({ status: 200, body: { dismissed: true } });
  expect((await ask(`${path}/dismissals`, REASON)).status).toBe(404);
});

test('rows of another project are unknown, and a key of the API is rejected', async () => {
  for (const act of ['expectations', 'dismissals', 'reopenings']) {
    expect([act, (await ask(`${path}/${act}`, UNTIL, newTenant())).status]).toEqual([act, 404]);
    expect([act, (await ask(`${path}/${act}`, { ...UNTIL, issuer: 'gateway' })).status]).toEqual([act, 403]);
  }
  expect((await ask('/unmatched_rows/x/dismissals', REASON)).status).toBe(404);
});

test('a day is closed in the time zone that is named, and says that claims did not respond', async () => {
  const body = { day: '2026-11-18', time_zone: 'Africa/Nairobi' };
  expect(await ask('/bank_days', { body })).toMatchObject({
    status: 200,
    body: { day: '2026-11-18', accounts: [{ currency: 'KES', differences: [] }], positions: [] },
  });
  expect((await ask('/bank_days', { body: { time_zone: 'UTC' } })).body.day).toBe('2026-11-18');
  expect((await ask('/bank_days', { body }, newTenant())).body).toMatchObject({ accounts: [], rows: [] });
  for (const wrong of [
    {},
    { day: 7, time_zone: 'UTC' },
    { day: 'x', time_zone: 'UTC' },
    { day: body.day, time_zone: 'Mars' },
  ])
    expect([wrong, (await ask('/bank_days', { body: wrong })).status]).toEqual([wrong, 400]);
  await books.adjudicate(500);
  books.claims.outstanding = null;
  const { differences } = (await ask('/bank_days', { body })).body.positions[0];
  expect(differences).toMatchObject([{ kind: 'receivables', amount: null }]);
  books.claims.outstanding = [{ currency: 'KES', amount: 500 }];
  expect((await ask('/bank_days', { body })).body).toMatchObject({ is_equal: true });
});

test('whether an advice can be withdrawn is decided without a change, in its own project alone', async () => {
  const advice = await books.adviceOf({ adjustments: [{ kind: 'interest', amount: 3 }], net: 3 });
  const preview = (id: string, tenant = books.tenant) =>
    askOperatorRoute('payments', server.port, tenant, 'GET', `/payment_advices/${id}/withdrawal`, {});
  expect((await preview(advice.id)).status).toBe(200);
  expect(await books.status(advice.remittance_id)).toBe('received');
  expect((await preview(advice.id, newTenant())).status).toBe(404);
  expect((await preview('adv_unknown')).status).toBe(404);
  await books.observe(advice.remittance_id, 3);
  expect((await preview(advice.id)).status).toBe(409);
});
