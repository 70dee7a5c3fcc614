import { evaluateAllocations } from './allocation';
import type { ClaimAccount } from './chart-of-accounts';

function account(
  claimId: string,
  balances: Partial<ClaimAccount['balances']>,
  reversed = false,
): ClaimAccount {
  return {
    claimId,
    currency: 'KES',
    adjudicationId: 'adj_1',
    adjudicationVersion: 1,
    reversed,
    settled: 0,
    settledCause: null,
    remittedCause: null,
    balances: {
      charges: 0,
      payer_liability: 0,
      patient_responsibility: 0,
      adjustment: 0,
      remitted: 0,
      cash_observed: 0,
      recoverable: 0,
      provider: 0,
      ...balances,
    },
  };
}

function evaluated(
  accounts: ClaimAccount[],
  shares: Record<string, number>,
  currency = 'KES',
  claimsAtLimit: string[] = [],
) {
  const allocations = Object.entries(shares).map(([claimId, amount]) => ({ claimId, amount }));
  const known = new Map(accounts.map((held) => [held.claimId, held]));
  try {
    evaluateAllocations({ currency, receivedAt: 1, allocations }, known, claimsAtLimit, 1);
    return 'stands';
  } catch (error) {
    return error;
  }
}

const says = (code: string, pointer: string) =>
  expect.objectContaining({ code, message: expect.stringContaining(pointer) });

test('an advice up to the payer’s liability is accepted, also if it is received at this instant', () => {
  expect(evaluated([account('a', { payer_liability: 5, remitted: 95 })], { a: 5 })).toBe('stands');
});

test('the message names every wrong allocation', () => {
  const accounts = ['a', 'b', 'c'].map((id) => account(id, { payer_liability: 5 }));
  expect(evaluated(accounts, { a: 6, b: 5, c: 7 })).toMatchObject({
    code: 'over_allocation',
    message: expect.stringMatching(
      /^\/allocations\/0\/paid_amount is .*; \/allocations\/2\/paid_amount is .*\.$/,
    ),
  });
});

test('one unit more is over-allocated, and the message names the allocation', () => {
  const accounts = [account('a', { payer_liability: 5 }), account('b', { payer_liability: 5 })];
  expect(evaluated(accounts, { a: 5, b: 6 })).toEqual(says('over_allocation', '/allocations/1/paid_amount'));
});

test('a claim that is remitted in full is over-allocated; one that is settled in full is not payable', () => {
  expect(evaluated([account('a', { remitted: 9 })], { a: 1 })).toEqual(
    says('over_allocation', '/allocations/0'),
  );
  expect(evaluated([account('a', { cash_observed: 9 })], { a: 1 })).toEqual(
    says('claim_not_adjudicated', '/allocations/0'),
  );
});

test('a denied, a reversed and a never adjudicated claim are not adjudicated', () => {
  const reversed = account('b', { cash_observed: 4 }, true);
  for (const shares of [{ a: 1 }, { b: 1 }, { c: 1 }]) {
    expect(evaluated([account('a', {}), reversed], shares)).toEqual(
      says('claim_not_adjudicated', '/allocations/0'),
    );
  }
});

test('every claim must be in the advice’s currency', () => {
  expect(evaluated([account('a', { payer_liability: 5 })], { a: 1 }, 'EUR')).toEqual(
    says('currency_mismatch', '/currency'),
  );
});

test('a claim with the maximum number of remittances accepts no other; another error is reported first', () => {
  const accounts = [account('a', { payer_liability: 5 }), account('b', { payer_liability: 5 })];
  expect(evaluated(accounts, { a: 5, b: 5 }, 'KES', ['b'])).toMatchObject({
    code: 'invalid_state',
    message: '/allocations/1/claim_id names a claim that has 1,000 remittances, the maximum.',
  });
  expect(evaluated(accounts, { a: 6, b: 5 }, 'KES', ['b'])).toEqual(
    says('over_allocation', '/allocations/0/paid_amount'),
  );
});
