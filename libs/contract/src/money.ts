// Amounts of money: integers in the currency's minor unit, and their exact sums.
import { MAX_AMOUNT } from './limits';

/** The currencies that requests can use (ISO 4217). */
export const currencies = ['KES', 'USD', 'EUR', 'GBP'] as const;

export type Currency = (typeof currencies)[number];

/** Returns whether the value is an amount: an integer from 0 to 2^53 - 1. */
export function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/**
 * Returns the exact sum of amounts in minor units, or undefined if it is above 2^53 - 1.
 *
 * @example sumMoney([350000, 100]) // 350100
 */
export function sumMoney(amounts: Iterable<number>): number | undefined {
  let sum = 0;
  for (const amount of amounts) {
    // The comparison comes before the addition, because a sum above 2^53 - 1 would be inexact.
    if (amount > MAX_AMOUNT - sum) return undefined;
    sum += amount;
  }
  return sum;
}
