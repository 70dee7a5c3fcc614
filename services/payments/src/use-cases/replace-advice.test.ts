import { newId } from '@carecover/domain';
import { connectPostgres, type Sql } from '@carecover/postgres';
import { createTestDatabase, type TestDatabase } from '@carecover/testing/servers';
import { paymentAdviceResource } from '../resources';
import { readPosition } from '../store/bank-days';
import { findPaymentAdvice } from '../store/payment-advices';
import { Bookkeeper } from '../testing/bookkeeper';
import { verifyLedger } from '../verify';

let database: TestDatabase;
let sql: Sql;
let admin: Sql;
let books: Bookkeeper;

beforeAll(async () => {
  database = await createTestDatabase({ services: ['payments'] });
  sql = connectPostgres(database.url('payments'), 20, 'test');
  admin = connectPostgres(database.adminUrl, 2, 'test');
});
afterAll(async () => {
  await Promise.all([sql.end(), admin.end()]);
  await database.drop();
});
beforeEach(() => {
  books = new Bookkeeper(sql);
});
afterEach(async () => {
  const { positions } = await readPosition(sql, books.tenant);
  for (const { advised, settled, advicesOpen, advicesSettled, settlements } of positions)
    expect([advised, settled, settled]).toEqual([advicesOpen, advicesSettled, settlements]);
  expect((await verifyLedger(admin, { claims: false })).differences).toEqual([]);
});

const rejected = (code: string, ...texts: string[]) =>
  expect.objectContaining({ code, message: expect.stringMatching(texts.join('.*')) });
const take = (claim_id: string, amount: number) => ({ claim_id, amount });
const pay = (claim_id: string, paid_amount: number) => ({ claim_id, paid_amount });

async function read(id: string) {
  const row = await findPaymentAdvice(sql, books.tenant, id);
  return row && paymentAdviceResource(row);
}

test('a replacement pays what the old advice paid and more, under the same reference, and each names the other', async () => {
  const [one, other] = [await books.adjudicate(100), await books.adjudicate(50)];
  const old = await books.adviceOf({ payer_reference: 'ERA-1', allocations: [pay(one, 80)], net: 80 });
  const added = await books.replace(old.id, {
    payer_reference: 'ERA-1',
    allocations: [pay(one, 100), pay(other, 30)],
    net: 130,
  });
  expect(added).toMatchObject({
    status: 'received',
    replaces: old.id,
    replaced_by: null,
    withdrawn_at: null,
  });
  expect(await read(added.id)).toEqual(added);
  expect(await read(old.id)).toMatchObject({
    status: 'withdrawn',
    withdrawal_reason_code: 'replaced',
    replaces: null,
    replaced_by: added.id,
    allocations: [{ claim_id: one, paid_amount: 80 }],
  });
  expect(await books.balances(one)).toMatchObject({ payer_liability: 0, remitted: 100 });
  expect(await books.balances(other)).toMatchObject({ payer_liability: 20, remitted: 30 });
  expect(await sql`select from claims_notifications where recorded_at is null`).toHaveLength(0);
  await books.observe(added.remittance_id, 130);
  expect(await books.status(added.remittance_id)).toBe('reconciled');
  const again = books.replace(added.id, { allocations: [pay(one, 1)], net: 1 });
  await expect(again).rejects.toEqual(rejected('advice_settled'));
});

test('a rejected replacement leaves the old advice as it is', async () => {
  const [claim, known] = [await books.adjudicate(100), newId('clm_')];
  books.claims.known.add(known);
  const old = await books.adviceOf({ allocations: [pay(claim, 80)], net: 80 });
  const wrong = [
    [{ allocations: [pay(claim, 101)], net: 101 }, 'over_allocation'],
    [{ allocations: [pay(claim, 80)], net: 79 }, 'advice_unbalanced'],
    [{ allocations: [pay(newId('clm_'), 80)], net: 80 }, 'resource_not_found'],
    [{ allocations: [pay(known, 80)], net: 80 }, 'claim_not_adjudicated'],
    [{ allocations: [], recoveries: [take(claim, 1)], net: -1 }, 'over_recovery'],
  ] as const;
  for (const [{ allocations, net, ...lines }, code] of wrong) {
    const replaced = books.replace(old.id, { ...lines, allocations: [...allocations], net } as never);
    await expect(replaced).rejects.toEqual(rejected(code));
  }
  const used = await books.adviceOf({ adjustments: [{ kind: 'interest', amount: 1 }], net: 1 });
  const duplicate = books.replace(old.id, {
    payer_reference: used.payer_reference,
    allocations: [pay(claim, 80)],
    net: 80,
  });
  await expect(duplicate).rejects.toEqual(rejected('duplicate_remittance_reference'));
  expect(await read(old.id)).toEqual(old);
  expect(await books.balances(claim)).toMatchObject({ payer_liability: 20, remitted: 80 });
  const unknown = books.replace(newId('adv_'), { allocations: [pay(claim, 1)], net: 1 });
  await expect(unknown).rejects.toEqual(rejected('resource_not_found'));
});

test('a replacement by a net of zero is settled at once, also of a claim without an account before', async () => {
  const [claim, denied] = [await books.adjudicate(100), newId('clm_')];
  books.claims.known.add(denied);
  const old = await books.adviceOf({ allocations: [pay(claim, 80)], net: 80 });
  const added = await books.replace(old.id, {
    allocations: [pay(claim, 5)],
    denials: [{ claim_id: denied }],
    adjustments: [{ kind: 'fee', amount: -5 }],
    net: 0,
  });
  expect(await books.status(added.remittance_id)).toBe('reconciled');
  expect(await books.balances(claim)).toMatchObject({ payer_liability: 95, remitted: 0, cash_observed: 5 });
});

test('of racing replacements exactly one is accepted, and a repeated request has no second effect', async () => {
  const [one, other] = [await books.adjudicate(100), await books.adjudicate(100)];
  const first = await books.adviceOf({ allocations: [pay(one, 80)], net: 80 });
  const second = await books.adviceOf({ allocations: [pay(other, 80)], net: 80 });
  const lines = (id: string) => ({ allocations: [pay(id, 90), pay(id === one ? other : one, 10)], net: 100 });
  const key = newId('key_');
  const results = await Promise.allSettled([
    books.replace(first.id, { ...lines(one), payer_reference: 'ERA-2' }, key),
    books.replace(first.id, { ...lines(one), payer_reference: 'ERA-2' }, key),
    books.replace(second.id, lines(other)),
    books.replace(second.id, lines(other)),
  ]);
  const ids = results.map((result) => (result.status === 'fulfilled' ? result.value.id : result.reason.code));
  expect(ids[0]).toBe(ids[1]);
  expect(ids.slice(2).filter((id) => id === 'invalid_state')).toHaveLength(1);
  for (const claim of [one, other])
    expect(await books.balances(claim)).toMatchObject({ payer_liability: 0, remitted: 100 });
});
