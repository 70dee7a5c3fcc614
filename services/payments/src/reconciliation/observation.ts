/** A remittance's settlements as the rules of reconciliation use them. Amounts in minor units. */

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
