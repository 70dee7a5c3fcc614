/** The remittances and settlements of lines of bulk jobs: the same rules as the operations, once per key, and dry runs. */
import { listRejectedCommands } from '@carecover/commands';
import type { RemittanceInput, SettlementInput } from '@carecover/contract';
import { newId } from '@carecover/domain';
import { connectPostgres, type Sql } from '@carecover/postgres';
import { createTestDatabase, type TestDatabase } from '@carecover/testing/servers';
import { newTenant, testCaller } from '@carecover/testing/services';
import { Bookkeeper } from '../testing/bookkeeper';

let database: TestDatabase;
let sql: Sql;
let books: Bookkeeper;

beforeAll(async () => {
  database = await createTestDatabase({ services: ['payments'] });
  sql = connectPostgres(database.url('payments'), 20, 'test');
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});
beforeEach(() => {
  books = new Bookkeeper(sql);
});

function lineOf(isDryRun: boolean, key = newId('key_')) {
  return { tenant: books.tenant, caller: testCaller(books.tenant), isDryRun, key };
}

const adviceOf = (shares: Readonly<Record<string, number>>): RemittanceInput => ({
  payer_reference: newId('era-'),
  currency: 'KES',
  received_at: '2026-01-06T10:00:00Z',
  allocations: Object.entries(shares).map(([claim_id, paid_amount]) => ({ claim_id, paid_amount })),
});

const evidenceOf = (remittance_id: string, amount: number): SettlementInput => ({
  remittance_id,
  source_reference: newId('bank-'),
  currency: 'KES',
  amount,
  observed_at: '2026-01-07T10:00:00Z',
});

async function remit(shares: Readonly<Record<string, number>>): Promise<string> {
  const { remittanceId } = await books.activities.createRemittance({
    ...lineOf(false),
    remittance: adviceOf(shares),
  });
  return remittanceId ?? '';
}

/** The rows that commands of the project wrote. */
async function written(): Promise<unknown> {
  const [counts] = await sql`
    select (select count(*)::int from remittances where project_id = ${books.tenant}) as remittances,
           (select count(*)::int from settlements where project_id = ${books.tenant}) as settlements,
           (select count(*)::int from commands where project_id = ${books.tenant}) as commands,
           (select count(*)::int from outbox where project_id = ${books.tenant}) as events,
           (select count(*)::int from workflow_signals where project_id = ${books.tenant}) as signals,
           (select count(*)::int from claims_notifications n join remittances r on r.id = n.remittance_id
             where r.project_id = ${books.tenant}) as notifications`;
  return { counts, rejected: await listRejectedCommands(sql, books.tenant, null) };
}

test('a line that is executed again has one remittance, which claims has recorded', async () => {
  const claim = await books.adjudicate(100);
  const line = { ...lineOf(false), remittance: adviceOf({ [claim]: 70 }) };
  const { remittanceId } = await books.activities.createRemittance(line);
  expect(await books.activities.createRemittance(line)).toEqual({ remittanceId });
  expect(await books.balances(claim)).toMatchObject({ payer_liability: 30, remitted: 70 });
  expect(books.claims.records.has(remittanceId ?? '')).toBe(true);
});

test('a line whose remittance claims could not record is executed again with one effect', async () => {
  const claim = await books.adjudicate(100);
  const line = { ...lineOf(false), remittance: adviceOf({ [claim]: 70 }) };
  const { recordRemittance } = books.claims;
  books.claims.recordRemittance = () => Promise.reject(new Error('the connection is lost'));
  await expect(books.activities.createRemittance(line)).rejects.toThrow('the connection is lost');
  books.claims.recordRemittance = recordRemittance;
  const { remittanceId } = await books.activities.createRemittance(line);
  expect(books.claims.records.has(remittanceId ?? '')).toBe(true);
  expect(await books.balances(claim)).toMatchObject({ payer_liability: 30, remitted: 70 });
});

test('a remittance of a line can have 1,000 allocations', async () => {
  const claims = await Promise.all(Array.from({ length: 1_000 }, () => books.adjudicate(10)));
  const remittance = await remit(Object.fromEntries(claims.map((claim) => [claim, 10])));
  expect(await books.records(remittance)).toMatchObject([{ allocations: { length: 1_000 } }]);
  expect(await books.balances(claims.at(-1) ?? '')).toMatchObject({ payer_liability: 0, remitted: 10 });
});

test('a rejected line is rejected as its operation is, leaves nothing, and can be corrected', async () => {
  const claim = await books.adjudicate(100);
  const attempt = (remittance: RemittanceInput) =>
    books.activities.createRemittance({ ...lineOf(false), remittance });
  await expect(attempt(adviceOf({ [claim]: 101 }))).rejects.toMatchObject({
    code: 'over_allocation',
    message: expect.stringContaining('/allocations/0/paid_amount'),
  });
  await expect(attempt(adviceOf({ [newId('clm_')]: 1 }))).rejects.toMatchObject({
    code: 'resource_not_found',
  });
  const first = adviceOf({ [claim]: 40 });
  await attempt(first);
  await expect(
    attempt({ ...adviceOf({ [claim]: 5 }), payer_reference: first.payer_reference }),
  ).rejects.toMatchObject({ code: 'duplicate_remittance_reference' });
  expect(await books.balances(claim)).toMatchObject({ payer_liability: 60, remitted: 40 });
});

test('a settlement of a line has one effect, and settles its remittance', async () => {
  const claim = await books.adjudicate(100);
  const remittance = await remit({ [claim]: 100 });
  const line = { ...lineOf(false), settlement: evidenceOf(remittance, 100) };
  const { settlementId } = await books.activities.createSettlement(line);
  expect(await books.activities.createSettlement(line)).toEqual({ settlementId });
  expect(await books.balances(claim)).toMatchObject({ remitted: 0, cash_observed: 100 });
  expect(await books.status(remittance)).toBe('reconciled');
  expect(books.claims.records.has(settlementId ?? '')).toBe(true);
  const again = { ...lineOf(false), settlement: { ...line.settlement, amount: 1 } };
  await expect(books.activities.createSettlement(again)).rejects.toMatchObject({
    code: 'duplicate_settlement_reference',
  });
});

test('a deposit for several advices is one line, whose resource is its first settlement', async () => {
  const [one, two] = [await books.adjudicate(100), await books.adjudicate(50)];
  const advices = [await remit({ [one]: 100 }), await remit({ [two]: 50 })].map((id) =>
    id.replace('rem_', 'adv_'),
  );
  const { remittance_id: _remittance, ...evidence } = evidenceOf('', 150);
  const shares = advices.map((payment_advice_id, index) => ({
    payment_advice_id,
    amount: [100, 50][index] ?? 0,
  }));
  const line = { ...lineOf(false), settlement: { ...evidence, shares } };
  const { settlementId } = await books.activities.createSettlement(line);
  expect(await books.settlement(settlementId ?? '')).toMatchObject({ amount: 100, status: 'matched' });
  expect(await books.balances(two)).toMatchObject({ remitted: 0, cash_observed: 50 });
});

test('a dry run decides on the facts of now, and writes nothing', async () => {
  const claim = await books.adjudicate(100);
  const remittance = await remit({ [claim]: 60 });
  const before = [await written(), await books.balances(claim), books.claims.records.size];
  const { createRemittance, createSettlement } = books.activities;
  const advise = (input: RemittanceInput) => createRemittance({ ...lineOf(true), remittance: input });
  const observe = (input: SettlementInput) => createSettlement({ ...lineOf(true), settlement: input });
  expect(await advise(adviceOf({ [claim]: 40 }))).toEqual({ remittanceId: null });
  expect(await observe(evidenceOf(remittance, 60))).toEqual({ settlementId: null });
  await expect(advise(adviceOf({ [claim]: 41 }))).rejects.toMatchObject({ code: 'over_allocation' });
  await expect(observe(evidenceOf(newId('rem_'), 60))).rejects.toMatchObject({ code: 'resource_not_found' });
  await expect(
    observe({ ...evidenceOf(remittance, 60), observed_at: '2099-01-01T00:00:00Z' }),
  ).rejects.toMatchObject({ code: 'future_timestamp' });
  expect([await written(), await books.balances(claim), books.claims.records.size]).toEqual(before);
  expect(await books.status(remittance)).toBe('received');
});

test('a line of a client of another project is not found', async () => {
  const claim = await books.adjudicate(100);
  const line = { ...lineOf(false), caller: testCaller(newTenant()) };
  const { createRemittance, createSettlement } = books.activities;
  await expect(createRemittance({ ...line, remittance: adviceOf({ [claim]: 1 }) })).rejects.toMatchObject({
    code: 'resource_not_found',
  });
  await expect(createSettlement({ ...line, settlement: evidenceOf(newId('rem_'), 1) })).rejects.toMatchObject(
    {
      code: 'resource_not_found',
    },
  );
});
