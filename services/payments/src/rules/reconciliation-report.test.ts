import type { SettlementStatus } from '@carecover/contract';
import { fc } from '@carecover/testing';
import { matchUnmatched } from './matching';
import { type ReconciliationReport, reportReconciliation } from './reconciliation-report';
import type { ClaimAmount, ObservedSettlement } from './remittance-status';

const ADVISED = { currency: 'KES', expected: 100, deadline: 1_000 };
const BEFORE = 999;

type Settlement = ObservedSettlement & { readonly status: SettlementStatus };

/** Returns a settlement. @param amount a number is an amount in KES, a text is an amount in EUR */
function settlement(id: string, amount: number | string, status: SettlementStatus): Settlement {
  return {
    id,
    currency: typeof amount === 'string' ? 'EUR' : 'KES',
    amount: Number(amount),
    matched: status === 'matched',
    status,
    allocations: [],
    recoveries: [],
  };
}

const matched = (amount: number) => settlement(`stl_m${amount}`, amount, 'matched');
const unmatched = (amount: number | string) => settlement(`stl_u${amount}`, amount, 'unmatched');
const reversed = (amount: number) => settlement(`stl_r${amount}`, amount, 'reversed');

/** Returns the next steps of a report in a short form that tests compare. */
const stepsOf = ({ nextSteps }: ReconciliationReport) =>
  nextSteps.map(({ settlement_id, amount }) =>
    settlement_id === null ? `record ${amount}` : `reverse ${settlement_id}`,
  );

test.each([
  ['no settlement', [], BEFORE, 'received', 'awaiting_funds', ['record 100']],
  ['a reversed settlement only', [reversed(100)], BEFORE, 'received', 'awaiting_funds', ['record 100']],
  ['a matched part', [matched(60)], BEFORE, 'received', 'partial_funds', ['record 40']],
  ['an unmatched part', [unmatched(60)], BEFORE, 'received', 'allocation_unmatched', ['record 40']],
  ['no settlement at the deadline', [], 1_000, 'exception', 'deadline_passed', ['record 100']],
  ['a part after the deadline', [unmatched(60)], 1_000, 'exception', 'deadline_passed', ['record 40']],
  ['the exact total', [matched(100)], 1_000, 'reconciled', null, []],
  [
    'one minor unit too much',
    [unmatched(101)],
    BEFORE,
    'exception',
    'amount_exceeds_advice',
    ['reverse stl_u101'],
  ],
  [
    'the right amount after a wrong one',
    [unmatched(101), unmatched(100)],
    BEFORE,
    'exception',
    'amount_exceeds_advice',
    ['reverse stl_u101'],
  ],
  [
    'a wrong part that is matched',
    [matched(60), unmatched(100)],
    BEFORE,
    'exception',
    'amount_exceeds_advice',
    ['reverse stl_m60'],
  ],
  [
    'two parts that exceed the total only together',
    [matched(60), unmatched(50)],
    BEFORE,
    'exception',
    'amount_exceeds_advice',
    ['reverse stl_u50'],
  ],
  [
    'another currency',
    [unmatched('100')],
    BEFORE,
    'exception',
    'currency_mismatch',
    ['reverse stl_u100', 'record 100'],
  ],
  [
    'another currency after the exact total',
    [matched(100), unmatched('1')],
    BEFORE,
    'exception',
    'currency_mismatch',
    ['reverse stl_u1'],
  ],
] as const)(
  'with %s, the report has the reason and what resolves it',
  (_name, settlements, now, status, reason, steps) => {
    const report = reportReconciliation(ADVISED, settlements, now);
    expect({ status: report.status, reason: report.reason, steps: stepsOf(report) }).toEqual({
      status,
      reason,
      steps,
    });
  },
);

test('an unmatched settlement has a reason of its own, a matched or reversed one has none', () => {
  const settlements = [matched(60), reversed(50), unmatched(30), unmatched('5')];
  expect([...reportReconciliation(ADVISED, settlements, BEFORE).settlementReasons]).toEqual([
    ['stl_u30', 'allocation_unmatched'],
    ['stl_u5', 'currency_mismatch'],
  ]);
  const above = [...settlements, unmatched(11)];
  expect([...reportReconciliation(ADVISED, above, BEFORE).settlementReasons]).toEqual([
    ['stl_u30', 'amount_exceeds_advice'],
    ['stl_u5', 'currency_mismatch'],
    ['stl_u11', 'amount_exceeds_advice'],
  ]);
});

test('a sum above the safe integers is null', () => {
  const report = reportReconciliation(ADVISED, [unmatched(Number.MAX_SAFE_INTEGER), unmatched(1)], BEFORE);
  expect(report).toMatchObject({ observed: null, reason: 'amount_exceeds_advice' });
  expect(stepsOf(report)).toEqual([`reverse stl_u${Number.MAX_SAFE_INTEGER}`, 'reverse stl_u1']);
});

/** Matches the unmatched settlements, as the service does after each settlement and reversal. */
function rematch(settlements: readonly Settlement[], shares: readonly ClaimAmount[]): Settlement[] {
  const settled = new Map<string, number>();
  for (const { matched, allocations } of settlements)
    if (matched)
      for (const { claimId, amount } of allocations)
        settled.set(claimId, (settled.get(claimId) ?? 0) + amount);
  const outstanding = shares.map(({ claimId, amount }) => ({
    claimId,
    amount: amount - (settled.get(claimId) ?? 0),
  }));
  const live = settlements.filter(({ status }) => status !== 'reversed');
  const matches = new Map(
    matchUnmatched(ADVISED, { allocations: outstanding, recoveries: [] }, live).map((match) => [
      match.id,
      match,
    ]),
  );
  return settlements.map((each) => {
    const match = matches.get(each.id);
    return match ? { ...each, matched: true, status: 'matched', allocations: match.allocations } : each;
  });
}

const amounts = fc.array(
  fc.oneof(fc.integer({ min: 1, max: 150 }), fc.integer({ min: 1, max: 150 }).map(String)),
  { maxLength: 8 },
);
const sharesOfTotal = fc.constantFrom(
  [{ claimId: 'clm_1', amount: 100 }],
  [
    { claimId: 'clm_1', amount: 60 },
    { claimId: 'clm_2', amount: 40 },
  ],
);

test('the amounts of a report balance, and to follow its first step again and again reconciles the remittance', () => {
  fc.assert(
    fc.property(amounts, sharesOfTotal, fc.constantFrom(BEFORE, 1_000), (history, shares, now) => {
      let settlements: Settlement[] = [];
      for (const amount of history)
        settlements = rematch(
          [...settlements, settlement(`stl_${settlements.length}`, amount, 'unmatched')],
          shares,
        );
      const counted = settlements.filter(({ currency }) => currency === 'KES');
      const sum = counted.reduce((total, { amount }) => total + amount, 0);
      expect(reportReconciliation(ADVISED, settlements, now).observed).toBe(sum);
      // The loop ends, because each settlement is reversed at most once and the missing amount is recorded at most once.
      for (let step = 0; step <= history.length + 1; step++) {
        const report = reportReconciliation(ADVISED, settlements, now);
        expect(report.reason === null).toBe(report.status === 'reconciled');
        const [next] = report.nextSteps;
        if (next === undefined) break;
        settlements =
          next.settlement_id === null
            ? [...settlements, settlement(`stl_${settlements.length}`, next.amount ?? 0, 'unmatched')]
            : settlements.map((each) =>
                each.id === next.settlement_id ? { ...each, status: 'reversed', matched: false } : each,
              );
        settlements = rematch(settlements, shares);
      }
      expect(reportReconciliation(ADVISED, settlements, now)).toMatchObject({
        status: 'reconciled',
        observed: ADVISED.expected,
        nextSteps: [],
      });
    }),
  );
});

test('a remittance whose advice was withdrawn expects nothing, and has no next step', () => {
  const report = reportReconciliation({ ...ADVISED, isWithdrawn: true }, [reversed(100)], BEFORE);
  expect(report).toMatchObject({
    status: 'exception',
    observed: 0,
    reason: 'advice_withdrawn',
    nextSteps: [],
  });
});
