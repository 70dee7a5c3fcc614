// Amounts of money are integers in the currency's minor unit. This file sums them without ever losing one.
import { MAX_AMOUNT } from './limits';

/** The currencies that can be sent. */
export const currencies = ['KES', 'USD', 'EUR', 'GBP'] as const;

export type Currency = (typeof currencies)[number];

/** Whether the value is an amount: an integer from 0 to 2^53 - 1. */
export function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** The exact sum of amounts in minor units, or undefined if it is beyond 2^53 - 1. */
export function sumMoney(amounts: Iterable<number>): number | undefined {
  let sum = 0;
  for (const amount of amounts) {
    // Both are at most 2^53 - 1, so the comparison is exact where the addition might not be.
    if (amount > MAX_AMOUNT - sum) return undefined;
    sum += amount;
  }
  return sum;
}
