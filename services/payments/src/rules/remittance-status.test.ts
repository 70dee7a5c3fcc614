import { fc } from '@carecover/testing';
import { evaluate, type ObservedSettlement } from './remittance-status';

const ADVISED = { currency: 'KES', expected: 100, deadline: 1_000 };
const BEFORE = 999;

function settlements(...amounts: (number | string)[]): ObservedSettlement[] {
  return amounts.map((amount, index) => ({
    id: `stl_${index}`,
    currency: typeof amount === 'string' ? 'EUR' : 'KES',
    amount: Number(amount),
    matched: false,
    allocations: [],
    recoveries: [],
  }));
}

describe('a remittance is evaluated', () => {
  test.each([
    ['received without a settlement', settlements(), BEFORE, 'received'],
    ['received below the total', settlements(60), BEFORE, 'received'],
    ['reconciled at the exact total', settlements(60, 40), BEFORE, 'reconciled'],
    ['reconciled at the exact total after the deadline', settlements(60, 40), 5_000, 'reconciled'],
    ['an exception above the total', settlements(60, 41), BEFORE, 'exception'],
    [
      'an exception above the total, also if the exact total came first',
      settlements(100, 1),
      BEFORE,
      'exception',
    ],
    ['an exception from the deadline on', settlements(60), 1_000, 'exception'],
    ['an exception by a settlement in another currency', settlements('60'), BEFORE, 'exception'],
    ['an exception by another currency after the exact total', settlements(100, '1'), BEFORE, 'exception'],
    [
      'an exception by another currency before a partial settlement',
      settlements('1', 60),
      BEFORE,
      'exception',
    ],
    [
      'reconciled if the total is completed after another currency',
      settlements('1', 60, 40),
      BEFORE,
      'reconciled',
    ],
  ])('%s', (_name, unreversed, now, status) => {
    expect(evaluate(ADVISED, unreversed, now)).toBe(status);
  });

  test('exactly, also if the sum exceeds the safe integers', () => {
    const amount = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
    fc.assert(
      fc.property(fc.array(amount, { maxLength: 20 }), amount, (amounts, total) => {
        const exact = amounts.reduce((sum, part) => sum + BigInt(part), 0n);
        const status = evaluate({ ...ADVISED, expected: total }, settlements(...amounts), BEFORE);
        const expected =
          exact < BigInt(total) ? 'received' : exact > BigInt(total) ? 'exception' : 'reconciled';
        expect(status).toBe(expected);
      }),
    );
  });
});
