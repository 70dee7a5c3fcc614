import type { PaymentAdvice } from '@carecover/contract';
import { newId } from '@carecover/domain';
import { connectPostgres, type Sql } from '@carecover/postgres';
import { createTestDatabase, type TestDatabase } from '@carecover/testing/servers';
import { testCaller } from '@carecover/testing/services';
import { payerBalancesResource, paymentAdviceResource } from '../resources';
import { readPosition } from '../store/bank-days';
import { listForwarding } from '../store/payer-balances';
import { findPaymentAdvice, listPaymentAdvices } from '../store/payment-advices';
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
  expect((await verifyLedger(admin, { claims: false })).differences).toEqual([]);
});

/** Matches an API error whose message has the texts in this order. */
const rejected = (code: string, ...texts: string[]) =>
  expect.objectContaining({ code, message: expect.stringMatching(texts.join('.*')) });

/** Adjudicates a claim, and remits and settles the amount. Returns the claim's ID. */
async function settledClaim(amount: number): Promise<string> {
  const claim = await books.adjudicate(amount);
  await books.observe(await books.advise({ [claim]: amount }), amount);
  return claim;
}

/** The settled amount of a claim in the claims service: the sum of what it was notified of. */
async function shownSettled(claimId: string): Promise<number> {
  const [row] = await sql<{ settled: number }[]>`
    select coalesce(sum((part ->> 'amount')::bigint), 0)::bigint as settled
    from claims_notifications, lateral jsonb_array_elements(input -> 'amounts') as part
    where kind = 'settlement' and part ->> 'claimId' = ${claimId}`;
  return row?.settled ?? 0;
}

const take = (claim_id: string, amount: number) => ({ claim_id, amount });
const pay = (claim_id: string, paid_amount: number) => ({ claim_id, paid_amount });

async function toDeduct(): Promise<unknown[]> {
  return payerBalancesResource(await listForwarding(sql, books.tenant)).data;
}

describe('an advice', () => {
  test('that pays, denies, takes back and adjusts is read and listed with all its lines, and its allocations are a remittance', async () => {
    const [paid, denied, old] = [await books.adjudicate(100), newId('clm_'), await settledClaim(50)];
    books.claims.known.add(denied);
    const advice = await books.adviceOf({
      payer: 'sha',
      allocations: [pay(paid, 80)],
      denials: [{ claim_id: denied, reason_codes: ['not_covered'] }],
      recoveries: [take(old, 20)],
      adjustments: [{ kind: 'fee', amount: -3, reason_codes: [] }],
      net: 57,
    });
    expect(advice).toMatchObject({
      object: 'payment_advice',
      status: 'received',
      remittance_id: advice.id.replace('adv_', 'rem_'),
      payer: 'sha',
      net: 57,
      allocations: [{ claim_id: paid, paid_amount: 80, reason_codes: [] }],
      denials: [{ claim_id: denied, reason_codes: ['not_covered'] }],
      recoveries: [{ id: expect.stringMatching(/^rcv_/), claim_id: old, amount: 20 }],
      adjustments: [{ kind: 'fee', amount: -3, reason_codes: [] }],
    });
    const row = await findPaymentAdvice(sql, books.tenant, advice.id);
    expect(row && paymentAdviceResource(row)).toEqual(advice);
    const caller = testCaller(books.tenant);
    for (const claim of [paid, denied]) {
      const { data } = await listPaymentAdvices(sql, caller, { claim_id: claim }, paymentAdviceResource);
      expect(data).toEqual([advice]);
    }
    const restricted = { ...caller, resourceIds: [advice.id] };
    const { data } = await listPaymentAdvices(sql, restricted, {}, paymentAdviceResource);
    expect(data).toEqual([advice]);
    const after = { starting_after: advice.id };
    const older = await listPaymentAdvices(sql, caller, after, paymentAdviceResource);
    expect(older.data).toMatchObject([
      { recoveries: [], denials: [], adjustments: [], payer: null, net: 50 },
    ]);
    expect(await books.balances(old)).toMatchObject({
      payer_liability: 20,
      remitted: -20,
      cash_observed: 50,
    });
    expect(await books.records(advice.remittance_id)).toMatchObject([
      {
        recoveryId: advice.recoveries[0]?.id,
        adviceId: advice.id,
        claimId: old,
        amount: 20,
        reasonCodes: [],
      },
      { remittanceId: advice.remittance_id, allocations: [{ claimId: paid, amount: 80 }] },
    ]);
  });

  test('whose net is not the sum of its lines is rejected with both numbers', async () => {
    const claim = await books.adjudicate(100);
    await expect(books.adviceOf({ allocations: [pay(claim, 80)], net: 79 })).rejects.toEqual(
      rejected('advice_unbalanced', '79', '80'),
    );
  });

  test('is rejected because of a claim that does not exist before its net', async () => {
    const unknown = newId('clm_');
    await expect(books.adviceOf({ allocations: [pay(unknown, 80)], net: 79 })).rejects.toEqual(
      rejected('resource_not_found', '/allocations/0/claim_id'),
    );
  });

  test('whose recoveries and adjustments are together more than an amount can be is rejected', async () => {
    const claim = await settledClaim(50);
    const largest = Number.MAX_SAFE_INTEGER;
    const lines = {
      allocations: [pay(claim, 20)],
      recoveries: [take(claim, 10)],
      adjustments: [{ kind: 'other' as const, amount: -largest }],
      net: -largest + 10,
    };
    await expect(books.adviceOf(lines)).rejects.toEqual(rejected('validation_failed', '/adjustments'));
    const { data } = await listPaymentAdvices(sql, testCaller(books.tenant), {}, paymentAdviceResource);
    expect(data.map(({ net }) => net)).toEqual([50]);
  });

  test('that takes back more than is remitted and not taken back is rejected with both numbers', async () => {
    const claim = await settledClaim(50);
    await books.adviceOf({ recoveries: [take(claim, 20)], net: -20 });
    await expect(books.adviceOf({ recoveries: [take(claim, 31)], net: -31 })).rejects.toEqual(
      rejected('over_recovery', '/recoveries/0/amount', '31', '30'),
    );
    await books.adviceOf({ recoveries: [take(claim, 30)], net: -30 });
    const never = newId('clm_');
    books.claims.known.add(never);
    await expect(books.adviceOf({ recoveries: [take(never, 1)], net: -1 })).rejects.toEqual(
      rejected('over_recovery', '1', '0'),
    );
  });

  test('that names no claim, or one twice, or a claim in another currency is rejected', async () => {
    const claim = await settledClaim(50);
    await expect(books.adviceOf({ recoveries: [take('clm_no', 1)], net: -1 })).rejects.toEqual(
      rejected('resource_not_found', '/recoveries/0/claim_id'),
    );
    await expect(books.adviceOf({ recoveries: [take(claim, 1), take(claim, 2)], net: -3 })).rejects.toEqual(
      rejected('allocation_duplicate', '/recoveries/1/claim_id'),
    );
    await expect(
      books.adviceOf({ denials: [{ claim_id: claim }, { claim_id: claim }], net: 0 }),
    ).rejects.toEqual(rejected('allocation_duplicate', '/denials/1/claim_id'));
    await expect(books.adviceOf({ currency: 'USD', recoveries: [take(claim, 1)], net: -1 })).rejects.toEqual(
      rejected('currency_mismatch'),
    );
  });

  test('two racing takebacks never take back more than was remitted', async () => {
    const claim = await settledClaim(50);
    const results = await Promise.allSettled(
      [30, 30, 30].map((amount) => books.adviceOf({ recoveries: [take(claim, amount)], net: -amount })),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await books.balances(claim)).toMatchObject({
      payer_liability: 30,
      remitted: -30,
      cash_observed: 50,
    });
  });
});

describe('a takeback', () => {
  test('is proved by the deposit of the net, which lowers what is settled', async () => {
    const [paid, old] = [await books.adjudicate(100), await settledClaim(50)];
    const { remittance_id } = await books.adviceOf({
      allocations: [pay(paid, 100)],
      recoveries: [take(old, 20)],
      net: 80,
    });
    const deposit = await books.observe(remittance_id, 80);
    expect(deposit).toMatchObject({
      status: 'matched',
      allocations: [{ claim_id: paid, amount: 100 }],
      recoveries: [{ claim_id: old, amount: 20 }],
    });
    expect(await books.status(remittance_id)).toBe('reconciled');
    expect(await books.balances(old)).toMatchObject({ payer_liability: 20, remitted: 0, cash_observed: 30 });
    expect([await shownSettled(paid), await shownSettled(old)]).toEqual([100, 30]);
    await books.reverse(deposit);
    expect(await books.balances(old)).toMatchObject({
      payer_liability: 20,
      remitted: -20,
      cash_observed: 50,
    });
    expect([await shownSettled(paid), await shownSettled(old)]).toEqual([0, 50]);
    expect(await books.status(remittance_id)).toBe('received');
  });

  test('with a deposit of the sum of the allocations is an exception, because the payer transfers the net', async () => {
    const [paid, old] = [await books.adjudicate(100), await settledClaim(50)];
    const { remittance_id } = await books.adviceOf({
      allocations: [pay(paid, 100)],
      recoveries: [take(old, 20)],
      net: 80,
    });
    await books.observe(remittance_id, 100);
    expect(await books.status(remittance_id)).toBe('exception');
    expect(await shownSettled(old)).toBe(50);
  });

  test('of a claim that the same advice pays again settles the difference', async () => {
    const [paid, old] = [await books.adjudicate(100), await settledClaim(50)];
    const { remittance_id } = await books.adviceOf({
      allocations: [pay(paid, 100), pay(old, 45)],
      recoveries: [take(old, 50)],
      net: 95,
    });
    await books.observe(remittance_id, 40);
    expect(await books.status(remittance_id)).toBe('received');
    await books.observe(remittance_id, 55);
    expect(await books.status(remittance_id)).toBe('reconciled');
    expect(await books.balances(old)).toMatchObject({ payer_liability: 5, remitted: 0, cash_observed: 45 });
    expect([await shownSettled(paid), await shownSettled(old)]).toEqual([100, 45]);
  });

  test('that is proved before the settlement of what it takes back never makes the settled amount negative', async () => {
    const claim = await books.adjudicate(50);
    const first = await books.advise({ [claim]: 50 });
    const other = await books.adjudicate(100);
    const { remittance_id } = await books.adviceOf({
      allocations: [pay(other, 100)],
      recoveries: [take(claim, 20)],
      net: 80,
    });
    await books.observe(remittance_id, 80);
    expect(await shownSettled(claim)).toBe(0);
    await books.observe(first, 50);
    expect(await shownSettled(claim)).toBe(30);
    expect(await books.balances(claim)).toMatchObject({
      payer_liability: 20,
      remitted: 0,
      cash_observed: 30,
    });
  });

  test('of a reversed claim lowers what the provider must repay', async () => {
    const [paid, old] = [await books.adjudicate(100), await settledClaim(50)];
    await books.reverseClaim(old);
    expect(await books.balances(old)).toMatchObject({ recoverable: 50 });
    const { remittance_id } = await books.adviceOf({
      allocations: [pay(paid, 100)],
      recoveries: [take(old, 50)],
      net: 50,
    });
    await books.observe(remittance_id, 50);
    expect(await books.balances(old)).toEqual({
      payer_liability: 0,
      remitted: 0,
      cash_observed: 0,
      recoverable: 0,
    });
    expect(await shownSettled(old)).toBe(0);
  });

  test('of all that is remitted does not permit another adjudication before it is settled', async () => {
    const claim = await settledClaim(50);
    await books.adviceOf({ recoveries: [take(claim, 50)], net: -50 });
    await expect(books.adjudicate(40, { claimId: claim, version: 2 })).rejects.toEqual(
      rejected('invalid_state'),
    );
  });
});

describe('the net of an advice', () => {
  test('of zero needs no transfer: all lines are settled at once', async () => {
    const [paid, old] = [await books.adjudicate(20), await settledClaim(50)];
    const { remittance_id } = await books.adviceOf({
      allocations: [pay(paid, 20)],
      recoveries: [take(old, 20)],
      net: 0,
    });
    expect(await books.status(remittance_id)).toBe('reconciled');
    expect([await shownSettled(paid), await shownSettled(old)]).toEqual([20, 30]);
    const netting = await books.settlement(remittance_id.replace('rem_', 'stl_'));
    expect(netting).toMatchObject({
      amount: 0,
      status: 'matched',
      allocations: [{ claim_id: paid, amount: 20 }],
    });
    await expect(books.reverse(netting)).rejects.toEqual(rejected('invalid_state'));
  });

  test('below zero is a balance of the payer, which is settled when the advice that deducts it is', async () => {
    const [old, paid] = [await settledClaim(50), await books.adjudicate(100)];
    const first = await books.adviceOf({ payer: 'sha', recoveries: [take(old, 30)], net: -30 });
    expect(await toDeduct()).toEqual([{ payer: 'sha', currency: 'KES', to_deduct: 30, advices: 1 }]);
    const second = await books.adviceOf({
      payer: 'SHA ',
      allocations: [pay(paid, 100)],
      adjustments: [{ kind: 'forwarded_balance', amount: -30 }],
      net: 70,
    });
    expect(await shownSettled(old)).toBe(50);
    const review = (remittanceId: string) => books.activities.review({ tenant: books.tenant, remittanceId });
    await review(first.remittance_id);
    expect(await books.status(first.remittance_id)).toBe('received');
    await books.observe(second.remittance_id, 70);
    await review(first.remittance_id);
    expect(await books.status(first.remittance_id)).toBe('reconciled');
    expect([await shownSettled(old), await shownSettled(paid)]).toEqual([20, 100]);
    expect(await toDeduct()).toEqual([]);
  });
});

describe('a deduction that is recorded before the balance', () => {
  const deducting = async (received_at: string, claim: string) =>
    books.adviceOf({
      payer: 'sha',
      received_at,
      allocations: [pay(claim, 100)],
      adjustments: [{ kind: 'forwarded_balance', amount: -30 }],
      net: 70,
    });
  const forwarding = async (received_at: string, claim: string) =>
    books.adviceOf({ payer: 'sha', received_at, recoveries: [take(claim, 30)], net: -30 });
  const review = (remittanceId: string) => books.activities.review({ tenant: books.tenant, remittanceId });

  test.each(['2026-01-05T00:00:00Z', '2026-01-08T00:00:00Z'])(
    'settles the balance of an advice that was received no later (%s)',
    async (receivedAt) => {
      const [old, paid] = [await settledClaim(50), await books.adjudicate(100)];
      const second = await deducting('2026-01-08T00:00:00Z', paid);
      await books.observe(second.remittance_id, 70);
      const first = await forwarding(receivedAt, old);
      expect(await toDeduct()).toEqual([]);
      await review(first.remittance_id);
      expect(await books.status(first.remittance_id)).toBe('reconciled');
      expect(await shownSettled(old)).toBe(20);
      const next = await forwarding(receivedAt, old).catch((error: unknown) => error);
      expect(next).toMatchObject({ code: 'over_recovery' });
    },
  );

  test('is none of the balance of an advice that was received afterwards', async () => {
    const [old, paid] = [await settledClaim(50), await books.adjudicate(100)];
    await deducting('2026-01-08T00:00:00Z', paid);
    await forwarding('2026-01-09T00:00:00Z', old);
    expect(await toDeduct()).toEqual([{ payer: 'sha', currency: 'KES', to_deduct: 30, advices: 1 }]);
  });
});

test('a deduction that has settled one balance settles no other one after the withdrawal of an earlier deduction', async () => {
  const claims = [await settledClaim(50), await settledClaim(50)];
  const forwarding: PaymentAdvice[] = [];
  for (const claim of claims)
    forwarding.push(await books.adviceOf({ payer: 'sha', recoveries: [take(claim, 30)], net: -30 }));
  const deducting = async () => {
    const claim = await books.adjudicate(100);
    return books.adviceOf({
      payer: 'sha',
      allocations: [pay(claim, 100)],
      adjustments: [{ kind: 'forwarded_balance', amount: -30 }],
      net: 70,
    });
  };
  const [earlier, later] = [await deducting(), await deducting()];
  await books.observe(later.remittance_id, 70);
  const statuses = async () => {
    for (const { remittance_id: remittanceId } of forwarding)
      await books.activities.review({ tenant: books.tenant, remittanceId });
    return Promise.all(forwarding.map(({ remittance_id }) => books.status(remittance_id)));
  };
  expect(await statuses()).toEqual(['received', 'reconciled']);
  await books.withdraw(earlier.id);
  expect(await statuses()).toEqual(['received', 'reconciled']);
  expect(await toDeduct()).toMatchObject([{ to_deduct: 30 }]);
  const again = await deducting();
  await books.observe(again.remittance_id, 70);
  expect(await statuses()).toEqual(['reconciled', 'reconciled']);
});

test('the reference of a settlement without a transfer is not one for requests', async () => {
  const claim = await books.adjudicate(100);
  const { id, remittance_id } = await books.adviceOf({ allocations: [pay(claim, 60)], net: 60 });
  for (const reference of [`net:${id}`, ` net:${id}`])
    await expect(books.observe(remittance_id, 60, { reference })).rejects.toEqual(
      rejected('validation_failed', '/source_reference'),
    );
});

describe('the settlements and the ledger settle the same sum', () => {
  const settledSums = async () => {
    const { positions } = await readPosition(sql, books.tenant);
    return positions.map(({ settled, settlements }) => [settled, settlements]);
  };

  test('when one of several settlements of an advice with a deduction is reversed', async () => {
    const claim = await books.adjudicate(100);
    const { remittance_id } = await books.adviceOf({
      allocations: [pay(claim, 18)],
      adjustments: [{ kind: 'fee', amount: -2 }],
      net: 16,
    });
    const first = await books.observe(remittance_id, 5);
    await books.observe(remittance_id, 11);
    expect(await settledSums()).toEqual([[18, 18]]);
    await books.reverse(first);
    expect(await settledSums()).toEqual([[13, 13]]);
    await books.observe(remittance_id, 5);
    expect(await settledSums()).toEqual([[18, 18]]);
  });

  test('when recoveries and adjustments of an advice cancel out', async () => {
    const [paid, old] = [await books.adjudicate(100), await settledClaim(50)];
    const { remittance_id } = await books.adviceOf({
      allocations: [pay(paid, 60)],
      recoveries: [take(old, 20)],
      adjustments: [{ kind: 'interest', amount: 20 }],
      net: 60,
    });
    expect(await settledSums()).toEqual([[50, 50]]);
    await books.observe(remittance_id, 60);
    expect(await settledSums()).toEqual([[90, 90]]);
  });
});

describe('a deposit for several advices', () => {
  test('settles each with its share, also if they have a claim in common; the response is the settlement of the first', async () => {
    const [paid, old] = [await books.adjudicate(100), await settledClaim(50)];
    const first = await books.adviceOf({ allocations: [pay(paid, 60)], net: 60 });
    const second = await books.adviceOf({
      allocations: [pay(paid, 40)],
      recoveries: [take(old, 20)],
      net: 20,
    });
    const parts = [
      { id: second.id, amount: 20 },
      { id: first.id, amount: 60 },
    ];
    const key = newId('key_');
    const settlement = await books.observeDeposit(parts, { reference: 'bank:9', key });
    expect(await books.observeDeposit(parts, { reference: 'bank:9', key })).toEqual(settlement);
    const recorded = await sql`
      select remittance_id, source_reference, amount, status from settlements
      where project_id = ${books.tenant} and source_reference like 'bank:9%' order by source_reference`;
    expect(settlement).toMatchObject({ remittance_id: second.remittance_id, amount: { observed: 20 } });
    expect(recorded).toEqual([
      { remittance_id: second.remittance_id, source_reference: 'bank:9', amount: 20, status: 'matched' },
      { remittance_id: first.remittance_id, source_reference: 'bank:9#2', amount: 60, status: 'matched' },
    ]);
    expect(await books.status(first.remittance_id)).toBe('reconciled');
    expect(await books.status(second.remittance_id)).toBe('reconciled');
    expect([await shownSettled(paid), await shownSettled(old)]).toEqual([100, 30]);
    expect(await sql`select from claims_notifications where recorded_at is null`).toHaveLength(0);
  });

  test('is recorded with all shares or none', async () => {
    const claim = await books.adjudicate(100);
    const { id, remittance_id } = await books.adviceOf({ allocations: [pay(claim, 60)], net: 60 });
    const unknown = [
      { id, amount: 60 },
      { id: newId('adv_'), amount: 1 },
    ];
    await expect(books.observeDeposit(unknown)).rejects.toEqual(
      rejected('resource_not_found', '/shares/1/payment_advice_id'),
    );
    expect(await books.status(remittance_id)).toBe('received');
    await books.observe(remittance_id, 10, { reference: 'bank:10#2' });
    const next = await books.adviceOf({ allocations: [pay(claim, 40)], net: 40 });
    const used = [
      { id, amount: 50 },
      { id: next.id, amount: 40 },
    ];
    await expect(books.observeDeposit(used, { reference: 'bank:10' })).rejects.toEqual(
      rejected('duplicate_settlement_reference'),
    );
    expect(await shownSettled(claim)).toBe(10);
  });

  test('does not block another one that has the same advices in another order', async () => {
    const claim = await books.adjudicate(100);
    const advices = [
      await books.adviceOf({ allocations: [pay(claim, 50)], net: 50 }),
      await books.adviceOf({ allocations: [pay(claim, 50)], net: 50 }),
    ];
    const parts = advices.map(({ id }) => ({ id, amount: 5 }));
    await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        books.observeDeposit(index % 2 === 0 ? parts : parts.toReversed()),
      ),
    );
    expect(await shownSettled(claim)).toBe(100);
  });
});
