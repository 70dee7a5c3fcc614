/**
 * Claims as they were known at an instant: the rule of rules/valuation.ts in SQL, for many claims in one statement. A fact takes effect at
 * or before its recorded_at, so that the facts known at an instant are those with a recorded_at at or before it.
 */
import type { Db, Fragment, Tenant } from '@carecover/platform';

/**
 * Returns the SQL of a from clause for the tenant's claims as known at `at` (epoch milliseconds, inclusive). Columns: `currency`,
 * `practitioner_id`, `payer_id`, `submitted_at`, `is_closed` (no fact can be recorded at or before `at` any more), `payer_liability` (null
 * if there is no adjudication) and `settled`.
 *
 * @param condition SQL condition on the claim `c`; starts with `and`
 */
export function claimsKnownAt(db: Db, tenant: Tenant, at: number, condition: Fragment): Fragment {
  const instant = new Date(at);
  // A claim's row has the sums over all of its facts. Only a claim with a fact after `at` must be computed from its facts.
  return db`(
    select c.currency, c.practitioner_id, c.payer_id, c.submitted_at,
      coalesce(c.closed_through >= ${instant}, false) or c.last_recorded_at = ${instant} as is_closed,
      c.approved as payer_liability, coalesce(c.settled, 0) as settled
    from claims c
    where c.project_id = ${tenant} and c.last_recorded_at <= ${instant} ${condition}
    union all
    select c.currency, c.practitioner_id, c.payer_id, c.submitted_at, true,
      (max(array[f.sequence, case when f.type <> 'reversed' then (f.detail ->> 'payer')::bigint end])
        filter (where f.type in ('approved', 'partially_approved', 'denied', 'reversed')))[2],
      coalesce(sum((f.detail ->> 'amount')::bigint) filter (where f.type = 'settled'), 0)
    from claims c join facts f on f.claim_id = c.id and f.recorded_at <= ${instant}
    where c.project_id = ${tenant} and c.last_recorded_at > ${instant} and c.created_at <= ${instant} ${condition}
    group by c.id
  )`;
}
