/**
 * SQL that reads the resources with which a claim is connected: those whose IDs are in the claim's row, and the remittances, recoveries and
 * settlements in its facts.
 */
import type { Tenant } from '@carecover/domain';
import type { Db } from '@carecover/postgres';
import type { Moved } from '../rules/linked-amounts';
import type { ClaimRow } from './claims';

export type ClaimLinksRow = Pick<
  ClaimRow,
  | 'id'
  | 'session_id'
  | 'booking_id'
  | 'practitioner_id'
  | 'eligibility_check_id'
  | 'preauthorization_id'
  | 'currency'
  | 'session_recorded_by'
  | 'session_recorded_at'
> & {
  /** The remittances and recoveries, in the order in which they were recorded. The amount of a recovery is below zero; that of a withdrawn one is 0. */
  readonly remitted: readonly Moved[];
  /** The settlements, in the order in which they were recorded. The amount is 0 once reversed, and below zero if it settles a recovery. */
  readonly settled: readonly Moved[];
};

/**
 * Reads the IDs of the resources with which a claim is connected, and the amounts of its remittances, recoveries and settlements, in one SQL
 * statement; undefined if the tenant has no such claim.
 */
export async function findClaimLinks(
  db: Db,
  tenant: Tenant,
  claimId: string,
): Promise<ClaimLinksRow | undefined> {
  const [row] = await db<ClaimLinksRow[]>`
    with movement as (
      select type = 'settled' as is_settled, evidence_references ->> 0 as id, min(sequence) as first,
        sum((detail ->> 'amount')::bigint * case type when 'remittance_recovered' then -1 else 1 end)::bigint as amount
      from facts where claim_id = (select id from claims where project_id = ${tenant} and id = ${claimId})
        and type in ('remittance_recorded', 'remittance_recovered', 'settled')
      group by type = 'settled', evidence_references ->> 0
    )
    select id, session_id, booking_id, practitioner_id, eligibility_check_id, preauthorization_id, currency,
      session_recorded_by, session_recorded_at,
      (select coalesce(json_agg(json_build_object('id', id, 'amount', amount) order by first), '[]')
       from movement where not is_settled) as remitted,
      (select coalesce(json_agg(json_build_object('id', id, 'amount', amount) order by first), '[]')
       from movement where is_settled) as settled
    from claims where project_id = ${tenant} and id = ${claimId}`;
  return row;
}
