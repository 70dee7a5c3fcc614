/** The state that a remittance's observations and the clock put it in. Pure: the same facts, the same state. */
import type { RemittanceStatus } from '@carecover/contract';
import { type Advised, compareWithTotal, type Observation } from './observation';

/**
 * Evaluates a remittance again.
 *
 * Reconciled needs the exact total, and that no observation in another currency came after it: such a one disturbs even a
 * reconciled remittance, until it is reversed or a later observation completes the total again.
 *
 * @param standing unreversed observations in the order in which they were recorded
 * @param deadline until when it may wait for money, epoch milliseconds; from that instant on it is an exception
 * @param now epoch milliseconds
 */
export function evaluate(
  advised: Advised & { readonly deadline: number },
  standing: readonly Observation[],
  now: number,
): RemittanceStatus {
  const sum = compareWithTotal(advised, standing);
  const foreign = standing.some(({ currency }) => currency !== advised.currency);
  if (sum === 'exact' && standing.at(-1)?.currency === advised.currency) return 'reconciled';
  if (sum === 'above' || foreign) return 'exception';
  return now < advised.deadline ? 'received' : 'exception';
}
