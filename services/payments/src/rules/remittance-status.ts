/** Computes a remittance's status from its settlements and the current time. Pure functions. Amounts in minor units. */
import type { RemittanceStatus } from '@carecover/contract';

export interface ClaimAmount {
  readonly claimId: string;
  readonly amount: number;
}

/** A settlement that is not reversed. */
export interface ObservedSettlement {
  readonly id: string;
  readonly currency: string;
  readonly amount: number;
  readonly matched: boolean;
  /** The amounts per claim that a matched settlement settles; for an unmatched one the amounts that its request named, if any. */
  readonly allocations: readonly ClaimAmount[];
}

/** The currency and the total of a remittance. */
export interface Advised {
  readonly currency: string;
  readonly total: number;
}

/** Returns the settlements in the remittance's currency. */
export function comparable<O extends ObservedSettlement>(advised: Advised, unreversed: readonly O[]): O[] {
  return unreversed.filter(({ currency }) => currency === advised.currency);
}

/**
 * Compares the sum of a remittance's settlements in its currency with its total. Amounts are subtracted from the total, because their sum
 * can exceed 2^53 - 1.
 */
export function compareWithTotal(
  advised: Advised,
  unreversed: readonly ObservedSettlement[],
): 'below' | 'exact' | 'above' {
  let rest = advised.total;
  for (const { amount } of comparable(advised, unreversed)) {
    if (amount > rest) return 'above';
    rest -= amount;
  }
  return rest === 0 ? 'exact' : 'below';
}

/**
 * Returns a remittance's status. It is `reconciled` if the sum of the settlements in the remittance's currency is the exact total and the
 * latest settlement is in this currency. A settlement in another currency makes it `exception` until that settlement is reversed or a later
 * settlement completes the total.
 *
 * @param advised the remittance; from its deadline (epoch milliseconds) on, it is an exception unless it is reconciled
 * @param unreversed the remittance's unreversed settlements in the order in which they were recorded
 * @param now current time in epoch milliseconds
 */
export function evaluate(
  advised: Advised & { readonly deadline: number },
  unreversed: readonly ObservedSettlement[],
  now: number,
): RemittanceStatus {
  const sum = compareWithTotal(advised, unreversed);
  const foreign = unreversed.some(({ currency }) => currency !== advised.currency);
  if (sum === 'exact' && unreversed.at(-1)?.currency === advised.currency) return 'reconciled';
  if (sum === 'above' || foreign) return 'exception';
  return now < advised.deadline ? 'received' : 'exception';
}
