/** Derives a remittance's status from its settlements and the time. Pure. Amounts in minor units. */
import type { RemittanceStatus } from '@carecover/contract';

export interface ClaimAmount {
  readonly claimId: string;
  readonly amount: number;
}

/** A settlement that is not reversed. */
export interface Observation {
  readonly id: string;
  readonly currency: string;
  readonly amount: number;
  readonly matched: boolean;
  /** The amounts per claim that it settles; while it is unmatched, the amounts that its request named, or none. */
  readonly allocations: readonly ClaimAmount[];
}

/** The currency and total of an advice. */
export interface Advised {
  readonly currency: string;
  readonly total: number;
}

/** Returns the settlements in the advice's currency. */
export function comparable<O extends Observation>(advised: Advised, unreversed: readonly O[]): O[] {
  return unreversed.filter(({ currency }) => currency === advised.currency);
}

/**
 * Compares the sum of the settlements in the advice's currency with the total. It subtracts from the total instead of adding, so that
 * no intermediate value exceeds the safe integers.
 */
export function compareWithTotal(
  advised: Advised,
  unreversed: readonly Observation[],
): 'below' | 'exact' | 'above' {
  let rest = advised.total;
  for (const { amount } of comparable(advised, unreversed)) {
    if (amount > rest) return 'above';
    rest -= amount;
  }
  return rest === 0 ? 'exact' : 'below';
}

/**
 * Evaluates a remittance. It is reconciled if the sum is the exact total and the latest settlement is in the advice's currency: one in
 * another currency makes an exception until it is reversed or a later settlement completes the total.
 *
 * @param unreversed unreversed settlements in the order in which they were recorded
 * @param deadline epoch milliseconds; from this instant on, an unsettled remittance is an exception
 * @param now epoch milliseconds
 */
export function evaluate(
  advised: Advised & { readonly deadline: number },
  unreversed: readonly Observation[],
  now: number,
): RemittanceStatus {
  const sum = compareWithTotal(advised, unreversed);
  const foreign = unreversed.some(({ currency }) => currency !== advised.currency);
  if (sum === 'exact' && unreversed.at(-1)?.currency === advised.currency) return 'reconciled';
  if (sum === 'above' || foreign) return 'exception';
  return now < advised.deadline ? 'received' : 'exception';
}
