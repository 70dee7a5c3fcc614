/** Tests the limits of valuation runs: the numbers of groups and periods, and the largest sum. Other tests check the sums over HTTP. */
import { MAX_AMOUNT, VALUATION_RUN_LIMIT } from '@carecover/contract';
import {
  type GroupSums,
  RunFailure,
  type RunSums,
  totalsResult,
  triangleResult,
  UNGROUPED,
} from './valuation-run';

const sums = (billed: bigint): RunSums => ({
  claim_count: 1n,
  billed,
  payer_liability: 0n,
  patient_responsibility: 0n,
  adjustment: 0n,
  remitted: 0n,
  settled: 0n,
  outstanding: 0n,
});
const group = (practitioner: string, billed: bigint): GroupSums => ({
  currency: 'KES',
  dimensions: { ...UNGROUPED, practitioner_id: practitioner },
  sums: sums(billed),
});

test('a result has as many groups as the limit, and one more fails', () => {
  const groups = Array.from({ length: VALUATION_RUN_LIMIT.groups + 1 }, (_, number) =>
    group(`prc_${number}`, 1n),
  );
  expect(totalsResult(groups.slice(1), ['practitioner_id']).groups).toHaveLength(VALUATION_RUN_LIMIT.groups);
  expect(() => totalsResult(groups, ['practitioner_id'])).toThrow(RunFailure);
});

test('a sum above 2^53 - 1 fails, also if each group is below', () => {
  const half = BigInt(MAX_AMOUNT) / 2n;
  const { totals } = totalsResult([group('prc_1', half), group('prc_2', half + 1n)], ['practitioner_id']);
  expect(totals[0]?.amount.billed).toBe(MAX_AMOUNT);
  expect(() => totalsResult([group('prc_1', half), group('prc_2', half + 2n)], ['practitioner_id'])).toThrow(
    RunFailure,
  );
});

test('a triangle with more periods than the limit fails', () => {
  const month = (serviceMonth: string) => ({
    currency: 'KES',
    serviceMonth,
    recordedMonth: '2026-01-01',
    sums: sums(1n),
  });
  const request = {
    valuationAt: Date.parse('2026-01-15T00:00:00Z'),
    development: { origin: 'service_month', step: 'month', measures: ['billed'] },
  } as const;
  const development = { ...request.development, measures: [...request.development.measures] };
  const within = triangleResult([month('2006-02-01')], { ...request, development });
  expect(within.triangle?.valuation_dates).toHaveLength(VALUATION_RUN_LIMIT.periods);
  expect(() => triangleResult([month('2006-01-01')], { ...request, development })).toThrow(RunFailure);
});
