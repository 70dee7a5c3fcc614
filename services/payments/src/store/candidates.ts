/** SQL of the remittances to which an unmatched row of a settlement file can be assigned. */

import type { Tenant } from '@carecover/domain';
import type { Db } from '@carecover/postgres';

/** A remittance that waits for funds. Amounts in minor units. */
export interface Candidate {
  readonly id: string;
  readonly payer_reference: string;
  readonly status: string;
  /** What the payer transfers: the net of the advice. */
  readonly total: number;
  /** The sum of the unreversed settlements in the remittance's currency. */
  readonly observed: number;
  /** `total` less `observed`. */
  readonly lacking: number;
  readonly received_at: Date;
}

/** How many of the newest remittances that wait for funds are compared with a row. */
const COMPARED = 1_000;
const SHOWN = 10;

/**
 * Reads remittances in the currency of a row that are not reconciled and lack funds. That which lacks an amount nearest to what is open of the
 * row is first; of several, the oldest.
 *
 * @param compared how many of the newest are compared
 * @returns `has_more`: there are more unreconciled remittances than were compared
 */
export async function findCandidates(
  db: Db,
  tenant: Tenant,
  { currency, open }: { readonly currency: string; readonly open: number },
  compared = COMPARED,
): Promise<{ data: Candidate[]; has_more: boolean }> {
  const rows = await db<
    (Omit<Candidate, 'id'> & { readonly id: string | null; readonly compared: number })[]
  >`
    with compared as (
      select remittance.id, payer_reference, remittance.status, net as total, received_at,
        (select coalesce(sum(settlement.amount), 0) from settlements settlement
          where settlement.project_id = ${tenant} and settlement.remittance_id = remittance.id
            and settlement.status <> 'reversed' and settlement.currency = remittance.currency) as observed
      from remittances remittance
      where project_id = ${tenant} and remittance.status = any('{received,exception}') and currency = ${currency}
      order by created_at desc, id desc limit ${compared + 1})
    select counted.compared, candidate.*
    from (select count(*)::integer as compared from compared) counted left join lateral (
      select id, payer_reference, status, total, received_at, observed::bigint as observed, (total - observed)::bigint as lacking
      from compared where observed < total
      order by abs(total - observed - ${open}), id limit ${SHOWN}) candidate on true
    order by abs(candidate.lacking - ${open}), candidate.id`;
  const data = rows.flatMap(({ compared: _, id, ...values }) => (id === null ? [] : [{ id, ...values }]));
  return { data, has_more: (rows[0]?.compared ?? 0) > compared };
}
