/** Derives a remittance's status from its settlements and the time. Pure. */
import type { RemittanceStatus } from '@carecover/contract';
import { type Advised, compareWithTotal, type Observation } from './observation';

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
