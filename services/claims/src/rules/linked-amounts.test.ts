import { fc } from '@carecover/testing';
import { linkedAmounts } from './linked-amounts';

const moved = (...amounts: number[]) => amounts.map((amount, index) => ({ id: `m_${index}`, amount }));
const left = (...amounts: number[]) => linkedAmounts(moved(...amounts)).map(({ amount }) => amount);

test('without a recovery the amounts stay', () => {
  expect(left()).toEqual([]);
  expect(left(100, 0, 50)).toEqual([100, 0, 50]);
});

test('a recovery lowers the newest earlier amount first, and no later one', () => {
  expect(left(100, 50, -60)).toEqual([90, 0, 0]);
  expect(left(200, -200, 200)).toEqual([0, 0, 200]);
});

test('of earlier amounts that were reversed, what is taken back is taken from later ones', () => {
  expect(left(0, -50, 80, 20)).toEqual([0, 0, 30, 20]);
});

test('for any amounts, none is below zero and the sum is the same', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -100, max: 100 }), { maxLength: 20 }), (amounts) => {
      const sum = amounts.reduce((total, amount) => total + amount, 0);
      fc.pre(sum >= 0);
      const result = left(...amounts);
      expect(result.reduce((total, amount) => total + amount, 0)).toBe(sum);
      expect(Math.min(0, ...result)).toBe(0);
    }),
  );
});
