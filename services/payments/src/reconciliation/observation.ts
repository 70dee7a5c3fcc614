/** Independent observations of a remittance's money, as the rules of reconciliation see them. Amounts in minor units. */

export interface ClaimAmount {
  readonly claimId: string;
  readonly amount: number;
}

/** An observation that is not reversed. */
export interface Observation {
  readonly id: string;
  readonly currency: string;
  readonly amount: number;
  readonly matched: boolean;
  /** What it settles; while unmatched, what its observer asked for, or nothing. */
  readonly allocations: readonly ClaimAmount[];
}

/** What an advice promises in total. */
export interface Advised {
  readonly currency: string;
  readonly total: number;
}

/** The observations in the advice's currency. */
export function comparable<O extends Observation>(advised: Advised, standing: readonly O[]): O[] {
  return standing.filter(({ currency }) => currency === advised.currency);
}

/**
 * How the unreversed sum in the advice's currency stands to the total. Exact for any number of observations: the sum is kept
 * as the rest of the total, and so never leaves the safe integers.
 */
export function compareWithTotal(
  advised: Advised,
  standing: readonly Observation[],
): 'below' | 'exact' | 'above' {
  let rest = advised.total;
  for (const { amount } of comparable(advised, standing)) {
    if (amount > rest) return 'above';
    rest -= amount;
  }
  return rest === 0 ? 'exact' : 'below';
}
