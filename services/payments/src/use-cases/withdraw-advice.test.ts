import { newId } from '@carecover/domain';
import { connectPostgres, type Sql } from '@carecover/postgres';
import { createTestDatabase, type TestDatabase } from '@carecover/testing/servers';
import { testCaller } from '@carecover/testing/services';
import {
  payerBalancesResource,
  paymentAdviceResource,
  reconciliationResource,
  remittanceResource,
} from '../resources';
import { readPosition } from '../store/bank-days';
import { listForwarding } from '../store/payer-balances';
import { findPaymentAdvice, listPaymentAdvices } from '../store/payment-advices';
import { findReconciliationSnapshot } from '../store/reconciliation';
import {
  findNamedRemittances,
  findOpenRemittances,
  findRemittance,
  listRemittances,
} from '../store/remittances';
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
  for (const sum of Object.values(await books.sums())) expect(sum).toBe(0);
  expect((await verifyLedger(admin, { claims: false })).differences).toEqual([]);
});

const rejected = (code: string, ...texts: string[]) =>
  expect.objectContaining({ code, message: expect.stringMatching(texts.join('.*')) });
const take = (claim_id: string, amount: number) => ({ claim_id, amount });
const pay = (claim_id: string, paid_amount: number) => ({ claim_id, paid_amount });

async function settledClaim(amount: number): Promise<string> {
  const claim = await books.adjudicate(amount);
  await books.observe(await books.advise({ [claim]: amount }), amount);
  return claim;
}

async function toDeduct(): Promise<number[]> {
  const { data } = payerBalancesResource(await listForwarding(sql, books.tenant));
  return data.map(({ to_deduct }) => to_deduct);
}

const review = (remittanceId: string) => books.activities.review({ tenant: books.tenant, remittanceId });

describe('a withdrawn advice', () => {
  test('leaves each claim as it was before the advice, and keeps its lines with when and why it was withdrawn', async () => {
    const [paid, old] = [await books.adjudicate(100), await settledClaim(50)];
    const before = [await books.balances(paid), await books.balances(old)];
    const advice = await books.adviceOf({
      payer: 'sha',
      allocations: [pay(paid, 80), pay(old, 5)],
      recoveries: [take(old, 20)],
      net: 65,
    });
    const withdrawn = await books.withdraw(advice.id);
    expect(withdrawn).toEqual({
      ...advice,
      status: 'withdrawn',
      withdrawn_at: expect.any(String),
      withdrawal_reason_code: 'sent_in_error',
    });
    expect([await books.balances(paid), await books.balances(old)]).toEqual(before);
    const row = await findPaymentAdvice(sql, books.tenant, advice.id);
    expect(row && paymentAdviceResource(row)).toEqual(withdrawn);
    const records = await books.records(advice.remittance_id);
    const after = advice.remittance_id;
    expect(records.at(-1)).toEqual({
      tenant: books.tenant,
      causeId: `${advice.remittance_id}:withdrawal`,
      remittanceId: advice.remittance_id,
      adviceId: advice.id,
      reasonCode: 'sent_in_error',
      allocations: [
        { claimId: paid, amount: 80, after },
        { claimId: old, amount: 5, after },
      ],
      recoveries: [{ claimId: old, recoveryId: advice.recoveries[0]?.id, amount: 20, after }],
    });
    expect(await sql`select from claims_notifications where recorded_at is null`).toHaveLength(0);
  });

  test('is an exception for released clients, with its event, and expects nothing', async () => {
    const claim = await books.adjudicate(100);
    const { id, remittance_id } = await books.adviceOf({ allocations: [pay(claim, 80)], net: 80 });
    await books.withdraw(id);
    expect(await books.events(remittance_id)).toEqual(['remittance.exception']);
    const row = await findRemittance(sql, books.tenant, remittance_id);
    expect(row && remittanceResource(row)).toMatchObject({
      status: 'exception',
      amount: { paid: 80 },
      reconciled_at: null,
    });
    const caller = testCaller(books.tenant);
    const remittances = async (query: { readonly status?: 'exception' | 'received' }) =>
      (await listRemittances(sql, caller, query, remittanceResource)).data.map(({ id }) => id);
    // It waits for nothing, so the work list of exceptions is without it.
    expect(await remittances({})).toEqual([remittance_id]);
    expect(await remittances({ status: 'exception' })).toEqual([]);
    expect(await remittances({ status: 'received' })).toEqual([]);
    const advices = async (status: 'exception' | 'withdrawn') =>
      (await listPaymentAdvices(sql, caller, { status }, paymentAdviceResource)).data.map((each) => each.id);
    expect(await advices('withdrawn')).toEqual([id]);
    expect(await advices('exception')).toEqual([]);
    const snapshot = await findReconciliationSnapshot(sql, books.tenant, remittance_id);
    expect(snapshot && reconciliationResource(snapshot)).toMatchObject({
      status: 'exception',
      expected: 0,
      observed: 0,
      difference: 0,
      reason: 'advice_withdrawn',
      next_steps: [],
    });
  });

  test('awaits nothing, accepts no settlement, and is not matched with entries of bank files', async () => {
    const claim = await books.adjudicate(100);
    const { id, remittance_id } = await books.adviceOf({
      payer_reference: 'era-77',
      allocations: [pay(claim, 80)],
      net: 80,
    });
    const search = async () => (await findNamedRemittances(sql, books.tenant, ['ERA-77'])).size;
    expect(await search()).toBe(1);
    await books.withdraw(id);
    expect(await search()).toBe(0);
    expect(await review(remittance_id)).toMatchObject({ status: 'exception', awaits: null, deadline: null });
    await expect(books.observe(remittance_id, 80)).rejects.toEqual(rejected('invalid_state', 'withdrawn'));
    const open = await findOpenRemittances(sql, '', 10_000);
    expect(open.map(({ id }) => id)).not.toContain(remittance_id);
  });

  test('frees its payer_reference, and its amounts can be advised again', async () => {
    const claim = await books.adjudicate(100);
    const lines = { payer_reference: 'ERA-1', allocations: [pay(claim, 100)], net: 100 };
    const first = await books.adviceOf(lines);
    await expect(books.adviceOf(lines)).rejects.toEqual(rejected('duplicate_remittance_reference'));
    await books.withdraw(first.id);
    const second = await books.adviceOf(lines);
    await books.observe(second.remittance_id, 100);
    expect(await books.status(second.remittance_id)).toBe('reconciled');
    expect(await books.balances(claim)).toMatchObject({
      payer_liability: 0,
      remitted: 0,
      cash_observed: 100,
    });
    const { data } = await listPaymentAdvices(
      sql,
      testCaller(books.tenant),
      { payer_reference: 'ERA-1' },
      paymentAdviceResource,
    );
    expect(data.map(({ status }) => status)).toEqual(['reconciled', 'withdrawn']);
  });

  test('has no balance to deduct any more', async () => {
    const old = await settledClaim(50);
    const { id } = await books.adviceOf({ payer: 'sha', recoveries: [take(old, 30)], net: -30 });
    expect(await toDeduct()).toEqual([30]);
    await books.withdraw(id);
    expect(await toDeduct()).toEqual([]);
    expect(await books.balances(old)).toMatchObject({ payer_liability: 0, remitted: 0, cash_observed: 50 });
  });

  test('deducts nothing any more: the balance that it deducted is open again, and another deduction settles it', async () => {
    const [old, paid] = [await settledClaim(50), await books.adjudicate(100)];
    const first = await books.adviceOf({ payer: 'sha', recoveries: [take(old, 30)], net: -30 });
    const deducting = {
      payer: 'sha',
      allocations: [pay(paid, 50)],
      adjustments: [{ kind: 'forwarded_balance' as const, amount: -30 }],
      net: 20,
    };
    const second = await books.adviceOf(deducting);
    expect(await toDeduct()).toEqual([]);
    await books.withdraw(second.id);
    expect(await toDeduct()).toEqual([30]);
    const third = await books.adviceOf(deducting);
    await books.observe(third.remittance_id, 20);
    await review(first.remittance_id);
    expect(await books.status(first.remittance_id)).toBe('reconciled');
  });

  test('of a reversed claim leaves no liability, and one of denials alone has no claim to notify', async () => {
    const [claim, old] = [await books.adjudicate(100), await settledClaim(50)];
    const { id } = await books.adviceOf({
      allocations: [pay(claim, 80)],
      recoveries: [take(old, 20)],
      net: 60,
    });
    await books.reverseClaim(claim);
    await books.reverseClaim(old);
    await books.withdraw(id);
    expect(await books.balances(claim)).toEqual({
      payer_liability: 0,
      remitted: 0,
      cash_observed: 0,
      recoverable: 0,
    });
    expect(await books.balances(old)).toMatchObject({ remitted: 0, cash_observed: 50, recoverable: 50 });
    const fees = await books.adviceOf({ adjustments: [{ kind: 'interest', amount: 3 }], net: 3 });
    expect((await books.withdraw(fees.id)).status).toBe('withdrawn');
    expect(await books.records(fees.remittance_id)).toEqual([]);
  });
});

describe('the withdrawal of an advice whose net is settled without a transfer', () => {
  test('undoes the settlement of zero too: claims show what they showed before the advice, and a repetition has no second effect', async () => {
    const [paid, old] = [await books.adjudicate(20), await settledClaim(50)];
    const before = [await books.balances(paid), await books.balances(old)];
    const { id, remittance_id } = await books.adviceOf({
      allocations: [pay(paid, 20)],
      recoveries: [take(old, 20)],
      net: 0,
    });
    expect(await books.status(remittance_id)).toBe('reconciled');
    const key = newId('key_');
    const [first, ...others] = await Promise.all([1, 2, 3].map(() => books.withdraw(id, key)));
    for (const other of others) expect(other).toEqual(first);
    expect([await books.balances(paid), await books.balances(old)]).toEqual(before);
    const netting = `stl_${remittance_id.slice('rem_'.length)}`;
    expect((await books.records(remittance_id)).slice(-2)).toEqual([
      expect.objectContaining({
        causeId: `${netting}:reversal`,
        amounts: [
          { claimId: paid, amount: -20, after: netting },
          { claimId: old, amount: 20, after: netting },
        ],
        reconciled: null,
      }),
      expect.objectContaining({ causeId: `${remittance_id}:withdrawal` }),
    ]);
    expect((await books.settlement(netting)).status).toBe('reversed');
    expect(await books.events(remittance_id)).toEqual(['remittance.reconciled', 'remittance.exception']);
    expect(await sql`select from claims_notifications where recorded_at is null`).toHaveLength(0);
    expect(await review(remittance_id)).toMatchObject({ status: 'exception', awaits: null });
  });

  test('is rejected while funds are recorded for it, and changes nothing then', async () => {
    const [paid, old] = [await books.adjudicate(20), await settledClaim(50)];
    const { id, remittance_id } = await books.adviceOf({
      allocations: [pay(paid, 20)],
      recoveries: [take(old, 20)],
      net: 0,
    });
    const wrong = await books.observe(remittance_id, 5);
    await expect(books.withdraw(id)).rejects.toEqual(rejected('advice_settled', wrong.id));
    expect(await books.balances(paid)).toMatchObject({ cash_observed: 20 });
    await books.reverse(wrong);
    expect((await books.withdraw(id)).status).toBe('withdrawn');
  });

  test('opens the balance that it deducted again; the advice with the balance is withdrawn then as well', async () => {
    const [paid, old] = [await books.adjudicate(100), await settledClaim(50)];
    const forwarding = await books.adviceOf({ payer: 'sha', recoveries: [take(old, 30)], net: -30 });
    const deducting = await books.adviceOf({
      payer: 'sha',
      allocations: [pay(paid, 30)],
      adjustments: [{ kind: 'forwarded_balance', amount: -30 }],
      net: 0,
    });
    await review(forwarding.remittance_id);
    expect(await books.status(forwarding.remittance_id)).toBe('reconciled');
    await expect(books.withdraw(forwarding.id)).rejects.toEqual(rejected('invalid_state', 'deduct'));
    await books.withdraw(deducting.id);
    expect(await toDeduct()).toEqual([30]);
    await books.withdraw(forwarding.id);
    expect(await toDeduct()).toEqual([]);
    expect(await books.balances(old)).toMatchObject({ payer_liability: 0, remitted: 0, cash_observed: 50 });
  });

  test.each([
    [
      'recoveries',
      (paid: string, old: string) => ({ allocations: [pay(paid, 30)], recoveries: [take(old, 30)] }),
    ],
    [
      'a fee',
      (paid: string) => ({
        allocations: [pay(paid, 30)],
        adjustments: [{ kind: 'fee' as const, amount: -30 }],
      }),
    ],
    [
      'a balance that it deducted',
      (paid: string) => ({
        allocations: [pay(paid, 30)],
        adjustments: [{ kind: 'forwarded_balance' as const, amount: -30 }],
      }),
    ],
  ])(
    'leaves the closing of the day without a difference, if the net was zero by %s',
    async (_name, linesOf) => {
      const [paid, old, other] = [
        await books.adjudicate(100),
        await settledClaim(50),
        await settledClaim(50),
      ];
      const forwarding = await books.adviceOf({ payer: 'sha', recoveries: [take(other, 30)], net: -30 });
      const { id } = await books.adviceOf({ payer: 'sha', ...linesOf(paid, old), net: 0 });
      await review(forwarding.remittance_id);
      // The position is compared after each test.
      await books.withdraw(id);
    },
  );

  test('is a part of its replacement, which can pay the same claims again', async () => {
    const [paid, old] = [await books.adjudicate(20), await settledClaim(50)];
    const lines = { payer_reference: 'ERA-0', allocations: [pay(paid, 20)], recoveries: [take(old, 20)] };
    const { id } = await books.adviceOf({ ...lines, net: 0 });
    const replacement = await books.replace(id, { ...lines, recoveries: [take(old, 10)], net: 10 });
    expect(replacement).toMatchObject({ replaces: id, status: 'received' });
    expect(await books.balances(paid)).toMatchObject({ payer_liability: 0, remitted: 20, cash_observed: 0 });
    await books.observe(replacement.remittance_id, 10);
    expect(await books.balances(old)).toMatchObject({ remitted: 0, cash_observed: 40 });
  });
});

describe('a withdrawal is rejected', () => {
  test('while a settlement is not reversed, also an unmatched one, and accepted after its reversal', async () => {
    const [one, other] = [await books.adjudicate(100), await books.adjudicate(100)];
    const { id, remittance_id } = await books.adviceOf({
      allocations: [pay(one, 80), pay(other, 20)],
      net: 100,
    });
    const settlement = await books.observe(remittance_id, 70);
    expect(settlement.status).toBe('unmatched');
    await expect(books.withdraw(id)).rejects.toEqual(rejected('advice_settled', settlement.id));
    await books.reverse(settlement);
    await books.withdraw(id);
    await expect(books.reverse(settlement)).rejects.toEqual(rejected('invalid_state'));
  });

  test('while later advices take back what it allocated, pay what it took back, or deduct its balance', async () => {
    const [claim, old] = [await books.adjudicate(100), await settledClaim(50)];
    const first = await books.adviceOf({ allocations: [pay(claim, 80)], net: 80 });
    const taking = await books.adviceOf({
      payer: 'sha',
      recoveries: [take(claim, 30), take(old, 50)],
      net: -80,
    });
    await expect(books.withdraw(first.id)).rejects.toEqual(rejected('invalid_state', 'take back', claim));
    const paying = await books.adviceOf({ allocations: [pay(old, 10)], net: 10 });
    await expect(books.withdraw(taking.id)).rejects.toEqual(rejected('invalid_state', 'pay again', old));
    await books.withdraw(paying.id);
    const deducting = await books.adviceOf({
      payer: 'SHA',
      adjustments: [
        { kind: 'forwarded_balance', amount: -1 },
        { kind: 'interest', amount: 2 },
      ],
      net: 1,
    });
    await expect(books.withdraw(taking.id)).rejects.toEqual(rejected('invalid_state', 'deduct'));
    for (const advice of [deducting, taking, first]) await books.withdraw(advice.id);
    expect(await books.balances(claim)).toMatchObject({ payer_liability: 100, remitted: 0 });
  });

  test('if there is no such advice, or it is withdrawn already; a repeated request has no second effect', async () => {
    await expect(books.withdraw(newId('adv_'))).rejects.toEqual(rejected('resource_not_found'));
    const claim = await books.adjudicate(100);
    const { id, remittance_id } = await books.adviceOf({ allocations: [pay(claim, 80)], net: 80 });
    const key = newId('key_');
    const [first, ...others] = await Promise.all([1, 2, 3].map(() => books.withdraw(id, key)));
    for (const other of others) expect(other).toEqual(first);
    await expect(books.withdraw(id)).rejects.toEqual(rejected('invalid_state', 'already'));
    expect(await books.records(remittance_id)).toHaveLength(2);
  });
});

test('of a withdrawal and a settlement that race exactly one is accepted', async () => {
  for (let round = 0; round < 10; round += 1) {
    const claim = await books.adjudicate(100);
    const { id, remittance_id } = await books.adviceOf({ allocations: [pay(claim, 80)], net: 80 });
    const results = await Promise.allSettled([books.withdraw(id), books.observe(remittance_id, 80)]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const isWithdrawn = results[0]?.status === 'fulfilled';
    expect(await books.balances(claim)).toMatchObject({
      payer_liability: isWithdrawn ? 100 : 20,
      remitted: 0,
      cash_observed: isWithdrawn ? 0 : 80,
    });
  }
});
