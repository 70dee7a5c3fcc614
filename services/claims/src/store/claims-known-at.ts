/**
 * Claims as they were known at an instant, in SQL: the rule of rules/valuation.ts for many claims in one statement. A fact takes effect
 * at or before its recorded_at, so the facts known at an instant are those recorded by then.
 */
import type { Db, Fragment, Tenant } from '@carecover/platform';

/**
 * SQL of the tenant's claims known at `at` (epoch milliseconds, inclusive), for the from clause: `currency`, `practitioner_id`,
 * `payer_id`, `submitted_at`, `is_closed` (no fact can be recorded at or before `at` any more), `payer_liability` (null while there is
 * no adjudication) and `settled`.
 *
 * @param condition on the claim `c`, which starts with `and`
 */
export function claimsKnownAt(db: Db, tenant: Tenant, at: number, condition: Fragment): Fragment {
  const instant = new Date(at);
  // The row contains the sums of all facts. Only claims with a later fact are computed from their facts.
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
