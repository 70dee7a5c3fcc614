// The currencies that a project accepts in requests: a setting, which is a part of the currencies of the contract.
import { MAX_PROBLEMS } from './limits';
import type { Problem } from './operations/definition';
import { problem } from './problem';

/**
 * Finds the fields `currency` of a request body, at any depth, that name a currency which the project does not accept. Returns at most 20.
 *
 * @param accepted the currencies of the project; null or undefined for all of the contract
 * @example findOtherCurrencies({ amount: { currency: 'EUR' } }, ['KES']) // [{ pointer: '/amount/currency', … }]
 */
export function findOtherCurrencies(
  body: unknown,
  accepted: readonly string[] | null | undefined,
): Problem[] {
  if (accepted == null) return [];
  const found: Problem[] = [];
  const visit = (value: unknown, pointer: string) => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, member] of Object.entries(value)) {
      if (found.length >= MAX_PROBLEMS) return;
      if (name === 'currency' && typeof member === 'string' && !accepted.includes(member))
        found.push(
          problem(
            `${pointer}/currency`,
            `must be a currency that the project accepts: ${accepted.join(', ')}`,
          ),
        );
      else visit(member, `${pointer}/${name}`);
    }
  };
  visit(body, '');
  return found;
}
