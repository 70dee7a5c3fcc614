/**
 * Sums of what payers owe for a project's claims, as known at an instant, from the roll-ups of closed months and from all other deltas.
 */

import { type AgeBand, ageBands, CLOCK_YEARS } from '@carecover/contract';
import type { Tenant } from '@carecover/domain';
import type { Db, Fragment, Sql } from '@carecover/postgres';
import { AGE_LIMITS_DAYS, type OutstandingSum } from '../rules/receivables';
import { ageBandOf, isIncluded } from './portfolio';
import { dayOf, monthEndFrom, rollUpsEnd, startReading } from './portfolio-rollups';

const DAY_MS = 86_400_000;
/** No project has facts before this instant, in epoch milliseconds. PostgreSQL has no year 0, which the days before the year 1 are in. */
const FIRST_FACT = Date.UTC(CLOCK_YEARS.min);

/** Returns the first instants, in UTC, of the days of submission that contain the boundary between two age bands at `at`, youngest first. */
const boundaryDays = (at: number) =>
  AGE_LIMITS_DAYS.map((days) => Math.floor((at - days * DAY_MS) / DAY_MS) * DAY_MS);

/** SQL of the outstanding amounts of the deltas that meet a condition, with the age bands of their claims at `at`. */
const deltasWhere = (db: Db, at: number, condition: Fragment) => db`
  select claim.currency, claim.practitioner_id, claim.payer_id, ${ageBandOf(db, at)} as age, delta.outstanding_claims, delta.outstanding
  from portfolio_deltas delta join claims claim on claim.id = delta.claim_id
  where ${condition} and (delta.outstanding_claims, delta.outstanding) <> (0, 0)`;

/** SQL conditions that together select the deltas which are not in the roll-ups that end at `rolled`, or which these cannot assign to an age band. */
function conditionsBeside(
  db: Db,
  tenant: Tenant,
  included: Fragment,
  rolled: number,
  at: number,
): Fragment[] {
  return [
    db`${included} and delta.recorded_at >= ${new Date(rolled)}`,
    ...boundaryDays(at).map(
      (day) => db`
        ${included} and delta.recorded_at >= ${new Date(day)} and delta.recorded_at < ${new Date(rolled)}
          and claim.project_id = ${tenant} and claim.submitted_at >= ${new Date(day)} and claim.submitted_at < ${new Date(day + DAY_MS)}`,
    ),
  ];
}

/** SQL of the sums in the roll-ups that end at `rolled`, without the claims that were submitted on a day with two age bands. */
function rolledUpSums(db: Db, tenant: Tenant, rolled: number, at: number): Fragment {
  const days = boundaryDays(at).map(dayOf);
  // A claim is in the age band whose number is the number of boundaries after its day of submission.
  const age = days
    .map((day) => db`(submission_day < ${day}::date)::integer`)
    .reduce((sum, term) => db`${sum} + ${term}`);
  return db`
    select currency, practitioner_id, payer_id, ${age} as age, sum(outstanding_claims) as claim_count, sum(outstanding) as amount
    from receivable_rollups
    where project_id = ${tenant} and recorded_month < ${dayOf(monthEndFrom(rolled))}::date and submission_day <> all(${days}::date[])
    group by 1, 2, 3, 4`;
}

/**
 * Reads the outstanding amounts as they were known at `at` (epoch milliseconds), in one snapshot: per currency and age band, for all claims
 * together, for each practitioner and for each payer. Sums of 0 are left out.
 *
 * @param claimIds the only claims that count; null for all claims of the tenant
 * @param currency the only currency that counts; null for all
 */
export function sumOutstanding(
  sql: Sql,
  tenant: Tenant,
  at: number,
  claimIds: readonly string[] | null,
  currency: string | null,
): Promise<OutstandingSum[]> {
  if (at < FIRST_FACT) return Promise.resolve([]);
  return sql.begin('isolation level repeatable read read only', async (tx) => {
    const rolledThrough = await startReading(tx, tenant);
    // Roll-ups do not contain claim IDs, so the sums over selected claims are read from deltas.
    const rolled = claimIds === null ? rollUpsEnd(rolledThrough, at) : null;
    const included = isIncluded(tx, tenant, { knownAt: at, effectiveThrough: at });
    const conditions =
      rolled !== null
        ? conditionsBeside(tx, tenant, included, rolled, at)
        : [claimIds === null ? included : tx`${included} and claim.id = any(${[...claimIds]})`];
    const deltas = conditions
      .map((condition) => deltasWhere(tx, at, condition))
      .reduce((all, part) => tx`${all} union all ${part}`);
    const rows = await tx<(Omit<OutstandingSum, 'amount'> & { readonly amount: string })[]>`
      select currency, practitioner_id, payer_id, age, sum(claim_count)::integer as claim_count, sum(amount)::text as amount
      from (
        select currency, practitioner_id, payer_id, age, sum(outstanding_claims) as claim_count, sum(outstanding) as amount
        from (${deltas}) delta group by currency, age, grouping sets ((), (practitioner_id), (payer_id))
        ${rolled === null ? tx`` : tx`union all ${rolledUpSums(tx, tenant, rolled, at)}`}
      ) part
      where ${currency}::text is null or currency = ${currency}
      group by currency, practitioner_id, payer_id, age having sum(amount) <> 0`;
    return rows.map((row) => ({ ...row, amount: BigInt(row.amount) }));
  });
}

/** A claim with what its payer owes at an instant, in minor units. */
export interface OutstandingClaim {
  readonly id: string;
  /** The provider's reference. */
  readonly name: string;
  readonly currency: string;
  readonly outstanding: number;
  readonly submitted_at: Date;
}

/** Reads the claims of a sum of receivables, as they were known at `at` (epoch milliseconds), largest outstanding amount first. */
export async function findOutstandingClaims(
  db: Db,
  tenant: Tenant,
  sum: {
    readonly at: number;
    readonly currency: string;
    readonly age: AgeBand | null;
    readonly payerId: string | null;
    readonly practitionerId: string | null;
  },
  limit: number,
): Promise<OutstandingClaim[]> {
  const { at, currency, age, payerId, practitionerId } = sum;
  if (at < FIRST_FACT) return [];
  const included = isIncluded(db, tenant, { knownAt: at, effectiveThrough: at });
  const band = age === null ? null : ageBands.indexOf(age);
  return [
    ...(await db<OutstandingClaim[]>`
      select claim.id, claim.provider_claim_reference as name, claim.currency, claim.submitted_at,
        sum(delta.outstanding)::bigint as outstanding
      from claims claim join portfolio_deltas delta on delta.claim_id = claim.id
      where ${included} and claim.project_id = ${tenant} and claim.currency = ${currency}
        and (${payerId}::text is null or claim.payer_id = ${payerId})
        and (${practitionerId}::text is null or claim.practitioner_id = ${practitionerId})
        and (${band}::integer is null or ${ageBandOf(db, at)} = ${band})
      group by claim.id having sum(delta.outstanding) <> 0
      order by outstanding desc, claim.id limit ${limit}`),
  ];
}
