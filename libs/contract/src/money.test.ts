// Tests that a sum of amounts is exact, or undefined if it is too large.
import { fc } from '@carecover/testing';
import { formatAmount } from './amount-text';
import { MAX_AMOUNT } from './limits';
import { isAmount, sumMoney } from './money';

const amount = fc.oneof(fc.integer({ min: 0, max: MAX_AMOUNT }), fc.integer({ min: 0, max: 1000 }));

test('a sum is exact, or undefined above 2^53 - 1', () => {
  fc.assert(
    fc.property(fc.array(amount), (amounts) => {
      const exact = amounts.reduce((sum, value) => sum + BigInt(value), 0n);
      const sum = sumMoney(amounts);
      return exact > BigInt(MAX_AMOUNT) ? sum === undefined : sum !== undefined && BigInt(sum) === exact;
    }),
  );
});

test('a sum can be the largest amount, but not more', () => {
  expect(sumMoney([MAX_AMOUNT])).toBe(MAX_AMOUNT);
  expect(sumMoney([MAX_AMOUNT - 1, 1])).toBe(MAX_AMOUNT);
  expect(sumMoney([MAX_AMOUNT, 1])).toBeUndefined();
  expect(sumMoney([])).toBe(0);
});

test('an amount is a non-negative safe integer', () => {
  for (const value of [0, 1, MAX_AMOUNT]) expect(isAmount(value)).toBe(true);
  for (const value of [-1, 0.5, MAX_AMOUNT + 1, Number.NaN, Number.POSITIVE_INFINITY, '1', null]) {
    expect(isAmount(value)).toBe(false);
  }
});

test.each([
  [0, '0.00 KES'],
  [5, '0.05 KES'],
  [-1, '-0.01 KES'],
  [123_456, '1,234.56 KES'],
  [MAX_AMOUNT, '90,071,992,547,409.91 KES'],
])('%d minor units are written as %s', (amount, text) => expect(formatAmount(amount, 'KES')).toBe(text));
