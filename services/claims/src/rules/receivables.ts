/** The computation of receivables: what payers owe for claims, by age, in total, per practitioner and per payer. */
import {
  type AgeBand,
  ageBands,
  MAX_AMOUNT,
  RECEIVABLES_GROUP_LIMIT,
  type Receivables,
} from '@carecover/contract';
import { ApiError } from '@carecover/domain';

/** The ages in days since a claim's submission at which the second, third and fourth age band begin. */
export const AGE_LIMITS_DAYS = [31, 61, 91] as const;

/** Returns the name of an age band. @param number the number of the band, from 0 */
export function ageBandName(number: number): AgeBand {
  const name = ageBands[number];
  if (name === undefined) throw new RangeError(`there is no age band ${number}`);
  return name;
}

/** A sum over the claims of one currency and age band: over all of them, or over those of one practitioner or one payer. */
export interface OutstandingSum {
  readonly currency: string;
  /** The practitioner of the summed claims; null for a sum over all practitioners. */
  readonly practitioner_id: string | null;
  /** The surrogate of the payer of the summed claims; null for a sum over all payers. */
  readonly payer_id: string | null;
  /** The number of the age band, from 0. */
  readonly age: number;
  readonly claim_count: number;
  /** The sum of the outstanding amounts, in minor units. */
  readonly amount: bigint;
}

type InCurrency = Receivables['currencies'][number];
type Outstanding = InCurrency['outstanding'];

/**
 * The receivables in one currency, with the surrogates of payers instead of their references. Only the largest payers have a group each.
 * `payerId` is null for the group that combines all others.
 */
export type CurrencyReceivables = Omit<InCurrency, 'payers'> & {
  readonly payers: readonly { payerId: string | null; claim_count: number; outstanding: Outstanding }[];
};

function groupBy(
  sums: readonly OutstandingSum[],
  key: 'currency' | 'practitioner_id' | 'payer_id',
): [string, OutstandingSum[]][] {
  const groups = new Map<string, OutstandingSum[]>();
  for (const sum of sums) {
    const value = sum[key];
    if (value === null) continue;
    const group = groups.get(value);
    if (group === undefined) groups.set(value, [sum]);
    else group.push(sum);
  }
  return [...groups];
}

function toAmount(amount: bigint, currency: string): number {
  if (amount > BigInt(MAX_AMOUNT)) {
    throw new ApiError(
      'validation_failed',
      `The outstanding amounts in ${currency} must have a sum of at most ${MAX_AMOUNT}; use /query/currency to read another currency.`,
    );
  }
  return Number(amount);
}

function add(
  sums: readonly OutstandingSum[],
  currency: string,
): { claim_count: number; outstanding: Outstanding } {
  const of = (selected: readonly OutstandingSum[]) =>
    toAmount(
      selected.reduce((sum, { amount }) => sum + amount, 0n),
      currency,
    );
  const ofAge = (age: number) => of(sums.filter((sum) => sum.age === age));
  return {
    claim_count: sums.reduce((sum, { claim_count }) => sum + claim_count, 0),
    outstanding: {
      total: of(sums),
      days_0_30: ofAge(0),
      days_31_60: ofAge(1),
      days_61_90: ofAge(2),
      days_over_90: ofAge(3),
    },
  };
}

/**
 * Adds up sums per group, and sorts the groups by total, largest first. Groups after the first `limit` are combined in one last group with
 * the `id` null.
 */
function addPerGroup(
  sums: readonly OutstandingSum[],
  key: 'practitioner_id' | 'payer_id',
  currency: string,
  limit: number,
) {
  const groups = groupBy(sums, key)
    .map(([id, parts]) => ({ id, parts, ...add(parts, currency) }))
    .sort((a, b) => b.outstanding.total - a.outstanding.total || (a.id < b.id ? -1 : 1));
  const others = groups.slice(limit).flatMap(({ parts }) => parts);
  const listed = groups
    .slice(0, limit)
    .map(({ id, claim_count, outstanding }) => ({ id, claim_count, outstanding }));
  return others.length === 0 ? listed : [...listed, { id: null, ...add(others, currency) }];
}

/**
 * Converts the sums of the database to the receivables of each currency.
 *
 * @throws ApiError validation_failed if a sum is above 2^53 - 1
 */
export function receivablesByCurrency(
  sums: readonly OutstandingSum[],
  limit = RECEIVABLES_GROUP_LIMIT,
): CurrencyReceivables[] {
  return groupBy(sums, 'currency')
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, parts]) => {
      const all = parts.filter((sum) => sum.practitioner_id === null && sum.payer_id === null);
      const { claim_count, outstanding } = add(all, currency);
      return {
        currency,
        claim_count,
        outstanding,
        practitioners: addPerGroup(parts, 'practitioner_id', currency, limit).map(({ id, ...group }) => ({
          practitioner_id: id,
          ...group,
        })),
        payers: addPerGroup(parts, 'payer_id', currency, limit).map(({ id, ...group }) => ({
          payerId: id,
          ...group,
        })),
      };
    });
}
