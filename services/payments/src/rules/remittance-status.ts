/** Computes a remittance's status from its settlements and the current time. Pure functions. Amounts in minor units. */
import type { PaymentAdviceStatus, RemittanceStatus } from '@carecover/contract';

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
  /** The amounts per claim of the advice's recoveries that a matched settlement proves. */
  readonly recoveries: readonly ClaimAmount[];
}

/** What a payer transfers for an advice. */
export interface Advised {
  readonly currency: string;
  /** The sum of the settlements that reconcile the remittance: the net of its advice, or 0 if the net is settled without a transfer. */
  readonly expected: number;
}

/** Returns the settlements in the remittance's currency. */
export function comparable<O extends ObservedSettlement>(advised: Advised, unreversed: readonly O[]): O[] {
  return unreversed.filter(({ currency }) => currency === advised.currency);
}

/**
 * Compares the sum of a remittance's settlements in its currency with the expected amount. Amounts are subtracted from it, because their sum
 * can exceed 2^53 - 1.
 */
export function compareWithExpected(
  advised: Advised,
  unreversed: readonly ObservedSettlement[],
): 'below' | 'exact' | 'above' {
  let rest = advised.expected;
  for (const { amount } of comparable(advised, unreversed)) {
    if (amount > rest) return 'above';
    rest -= amount;
  }
  return rest === 0 ? 'exact' : 'below';
}

/**
 * Returns a remittance's status. It is `reconciled` if the sum of the settlements in the remittance's currency is the expected amount and the
 * latest settlement, if there is one, is in this currency. A settlement in another currency makes it `exception` until that settlement is
 * reversed or a later settlement completes the expected amount.
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
  const sum = compareWithExpected(advised, unreversed);
  const foreign = unreversed.some(({ currency }) => currency !== advised.currency);
  const last = unreversed.at(-1);
  if (sum === 'exact' && (last === undefined || last.currency === advised.currency)) return 'reconciled';
  if (sum === 'above' || foreign) return 'exception';
  return now < advised.deadline ? 'received' : 'exception';
}

/** Returns a status as the released remittance has it: a withdrawn advice is not reconciled, and waits for no funds. */
export function releasedStatus(status: PaymentAdviceStatus): RemittanceStatus {
  return status === 'withdrawn' ? 'exception' : status;
}
