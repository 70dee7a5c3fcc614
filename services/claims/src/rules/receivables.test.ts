import { MAX_AMOUNT } from '@carecover/contract';
import { type OutstandingSum, receivablesByCurrency } from './receivables';

const sum = (changes: Partial<OutstandingSum>): OutstandingSum => ({
  currency: 'KES',
  practitioner_id: null,
  payer_id: null,
  age: 0,
  claim_count: 1,
  amount: 10n,
  ...changes,
});
const outstanding = (total: number, ...bands: number[]) => ({
  total,
  days_0_30: bands[0] ?? total,
  days_31_60: bands[1] ?? 0,
  days_61_90: bands[2] ?? 0,
  days_over_90: bands[3] ?? 0,
});

test('sums of one currency and group are added over the ages', () => {
  const [kes, usd, none] = receivablesByCurrency([
    sum({ currency: 'USD', amount: 7n }),
    sum({ age: 0, amount: 10n }),
    sum({ age: 3, amount: 5n, claim_count: 2 }),
    sum({ practitioner_id: 'prc_a', age: 0, amount: 10n }),
    sum({ practitioner_id: 'prc_a', age: 3, amount: 5n, claim_count: 2 }),
    sum({ payer_id: 'payer_a', age: 0, amount: 4n }),
    sum({ payer_id: 'payer_b', age: 0, amount: 6n }),
    sum({ payer_id: 'payer_b', age: 3, amount: 5n, claim_count: 2 }),
  ]);
  expect(none).toBeUndefined();
  expect(usd).toMatchObject({ currency: 'USD', claim_count: 1, outstanding: outstanding(7), payers: [] });
  expect(kes).toEqual({
    currency: 'KES',
    claim_count: 3,
    outstanding: outstanding(15, 10, 0, 0, 5),
    practitioners: [{ practitioner_id: 'prc_a', claim_count: 3, outstanding: outstanding(15, 10, 0, 0, 5) }],
    payers: [
      { payerId: 'payer_b', claim_count: 3, outstanding: outstanding(11, 6, 0, 0, 5) },
      { payerId: 'payer_a', claim_count: 1, outstanding: outstanding(4) },
    ],
  });
});

test('the groups after the limit are one group without a key', () => {
  const amounts = { prc_a: 1n, prc_b: 4n, prc_c: 4n, prc_d: 2n };
  const [kes] = receivablesByCurrency(
    Object.entries(amounts).map(([practitioner_id, amount]) => sum({ practitioner_id, amount })),
    2,
  );
  expect(kes?.practitioners).toEqual([
    { practitioner_id: 'prc_b', claim_count: 1, outstanding: outstanding(4) },
    { practitioner_id: 'prc_c', claim_count: 1, outstanding: outstanding(4) },
    { practitioner_id: null, claim_count: 2, outstanding: outstanding(3) },
  ]);
});

test('a sum that a JSON number can not hold exactly is rejected', () => {
  const parts = [sum({ amount: BigInt(MAX_AMOUNT) }), sum({ age: 1, amount: 1n })];
  expect(() => receivablesByCurrency(parts)).toThrow('The outstanding amounts in KES');
  expect(receivablesByCurrency(parts.slice(0, 1))[0]?.outstanding.total).toBe(MAX_AMOUNT);
});
