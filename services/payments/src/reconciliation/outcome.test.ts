import { fc } from '@carecover/testing';
import type { Observation } from './observation';
import { evaluate } from './outcome';

const ADVISED = { currency: 'KES', total: 100, deadline: 1_000 };
const BEFORE = 999;

function seen(...amounts: (number | string)[]): Observation[] {
  return amounts.map((amount, index) => ({
    id: `stl_${index}`,
    currency: typeof amount === 'string' ? 'EUR' : 'KES',
    amount: Number(amount),
    matched: false,
    allocations: [],
  }));
}

describe('a remittance is evaluated', () => {
  test.each([
    ['received while nothing is seen', seen(), BEFORE, 'received'],
    ['received while part is seen', seen(60), BEFORE, 'received'],
    ['reconciled at the exact total', seen(60, 40), BEFORE, 'reconciled'],
    ['reconciled at the exact total after the deadline', seen(60, 40), 5_000, 'reconciled'],
    ['an exception above the total', seen(60, 41), BEFORE, 'exception'],
    ['an exception above the total for good', seen(100, 1), BEFORE, 'exception'],
    ['an exception from the deadline’s instant on', seen(60), 1_000, 'exception'],
    ['an exception by money in another currency', seen('60'), BEFORE, 'exception'],
    ['an exception by it even when complete', seen(100, '1'), BEFORE, 'exception'],
    ['an exception by it also when more comes after', seen('1', 60), BEFORE, 'exception'],
    ['reconciled when the total is completed after it', seen('1', 60, 40), BEFORE, 'reconciled'],
  ])('%s', (_name, standing, now, status) => {
    expect(evaluate(ADVISED, standing, now)).toBe(status);
  });

  test('exactly, whatever the amounts: no sum of safe integers is mistaken for the total', () => {
    const amount = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
    fc.assert(
      fc.property(fc.array(amount, { maxLength: 20 }), amount, (amounts, total) => {
        const exact = amounts.reduce((sum, part) => sum + BigInt(part), 0n);
        const status = evaluate({ ...ADVISED, total }, seen(...amounts), BEFORE);
        const expected =
          exact < BigInt(total) ? 'received' : exact > BigInt(total) ? 'exception' : 'reconciled';
        expect(status).toBe(expected);
      }),
    );
  });
});
