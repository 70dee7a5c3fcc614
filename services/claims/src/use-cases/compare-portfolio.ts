/** Compares all claims of a project at two cutoffs, claim by claim. */
import { valuationAmounts } from '@carecover/contract';
import type { Caller } from '@carecover/domain';
import type { Sql } from '@carecover/postgres';
import { allCountedClaims, type CountedClaim } from '../store/valuation-runs';
import { makePortfolioFinal } from './make-final';

/**
 * A claim whose status or amounts differ between two cutoffs. The values at a cutoff are null if the claim was not counted at this cutoff.
 */
export interface ChangedClaim {
  readonly id: string;
  readonly currency: string;
  readonly before: CountedClaim | null;
  readonly after: CountedClaim | null;
  /** The largest absolute difference of one of the claim's amounts, in minor units. */
  readonly size: number;
}

export interface PortfolioComparison {
  readonly counted: { readonly before: number; readonly after: number };
  readonly changed: number;
  /** The outstanding amounts at the second instant less those at the first, by currency, in minor units. */
  readonly outstanding: Readonly<Record<string, number>>;
  /** The claims with the largest differences, largest first, then newest first. */
  readonly largest: readonly ChangedClaim[];
}

/** Returns whether a claim comes before another one in the order of lists, or is the same claim. */
function isFirstOf(claim: CountedClaim, other: CountedClaim): boolean {
  const difference = claim.created_at.getTime() - other.created_at.getTime();
  return difference > 0 || (difference === 0 && claim.id >= other.id);
}

/**
 * Merges two lists of claims, both newest first. Yields each claim as a pair of its entries in the two lists; null if the list does not
 * have the claim.
 */
async function* inPairs(
  before: AsyncIterable<readonly CountedClaim[]>,
  after: AsyncIterable<readonly CountedClaim[]>,
): AsyncGenerator<readonly [CountedClaim | null, CountedClaim | null]> {
  async function* each(pages: AsyncIterable<readonly CountedClaim[]>) {
    for await (const page of pages) yield* page;
  }
  const [left, right] = [each(before), each(after)];
  let [a, b] = await Promise.all([left.next(), right.next()]);
  while (!a.done || !b.done) {
    const first = a.done ? null : a.value;
    const second = b.done ? null : b.value;
    const takesFirst = first !== null && (second === null || isFirstOf(first, second));
    const takesSecond = second !== null && (first === null || isFirstOf(second, first));
    yield [takesFirst ? first : null, takesSecond ? second : null];
    if (takesFirst) a = await left.next();
    if (takesSecond) b = await right.next();
  }
}

function sizeOf(before: CountedClaim | null, after: CountedClaim | null): number {
  return Math.max(...valuationAmounts.map((name) => Math.abs((after?.[name] ?? 0) - (before?.[name] ?? 0))));
}

/**
 * Compares the claims that the client can read at two instants (epoch milliseconds), and makes the facts through both instants final.
 * Memory does not grow with the number of claims.
 *
 * @param limit the maximum number of claims in `largest`
 * @throws ApiError validation_failed if an instant is more than 5 seconds in the future; TooEarly if it has not passed; service_unavailable
 */
export async function comparePortfolio(
  sql: Sql,
  caller: Pick<Caller, 'tenant' | 'resourceIds'>,
  [before, after]: readonly [number, number],
  limit: number,
): Promise<PortfolioComparison> {
  await makePortfolioFinal(sql, caller.tenant, Math.max(before, after), '/to');
  const claimsAt = (at: number) => allCountedClaims(sql, caller, { knownAt: at, effectiveThrough: at });
  const counted = { before: 0, after: 0 };
  const outstanding: Record<string, number> = {};
  let changed = 0;
  let largest: ChangedClaim[] = [];
  const keepLargest = () => {
    largest = largest.sort((a, b) => b.size - a.size || (a.id < b.id ? 1 : -1)).slice(0, limit);
  };
  for await (const [first, second] of inPairs(claimsAt(before), claimsAt(after))) {
    if (first !== null) counted.before += 1;
    if (second !== null) counted.after += 1;
    const claim = second ?? first;
    const size = sizeOf(first, second);
    if (claim === null || (size === 0 && first?.status === second?.status)) continue;
    changed += 1;
    const difference = (second?.outstanding ?? 0) - (first?.outstanding ?? 0);
    outstanding[claim.currency] = (outstanding[claim.currency] ?? 0) + difference;
    largest.push({ id: claim.id, currency: claim.currency, before: first, after: second, size });
    if (largest.length >= 2 * limit + 1_000) keepLargest();
  }
  keepLargest();
  return { counted, changed, outstanding, largest };
}
