/**
 * SQL that reads the resources with which a claim is connected: those whose IDs are in the claim's row, and the remittances and settlements
 * in its facts.
 */
import type { ClaimLinks } from '@carecover/contract';
import type { Tenant } from '@carecover/domain';
import type { Db } from '@carecover/postgres';
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
> &
  Pick<ClaimLinks, 'remittances' | 'settlements'>;

/**
 * Reads the IDs of the resources with which a claim is connected, and the amounts of its remittances and settlements, in one SQL statement;
 * undefined if the tenant has no such claim.
 */
export async function findClaimLinks(
  db: Db,
  tenant: Tenant,
  claimId: string,
): Promise<ClaimLinksRow | undefined> {
  const [row] = await db<ClaimLinksRow[]>`
    with movement as (
      select type, evidence_references ->> 0 as id, sum((detail ->> 'amount')::bigint)::bigint as amount, min(sequence) as first
      from facts where claim_id = (select id from claims where project_id = ${tenant} and id = ${claimId})
        and type in ('remittance_recorded', 'settled')
      group by type, evidence_references ->> 0
    )
    select id, session_id, booking_id, practitioner_id, eligibility_check_id, preauthorization_id, currency,
      session_recorded_by, session_recorded_at,
      (select coalesce(json_agg(json_build_object('id', id, 'amount', amount) order by first), '[]')
       from movement where type = 'remittance_recorded') as remittances,
      (select coalesce(json_agg(json_build_object('id', id, 'amount', amount) order by first), '[]')
       from movement where type = 'settled') as settlements
    from claims where project_id = ${tenant} and id = ${claimId}`;
  return row;
}
