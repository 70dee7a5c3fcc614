/** SQL of the search of operators for remittances, settlements and rows of bank files. */

import type { Tenant } from '@carecover/domain';
import { type Db, type Fragment, type SearchRange, searchedText } from '@carecover/postgres';

/** A remittance, settlement or row of a bank file that a search found. The amount is in minor units. */
export interface FoundFunds {
  readonly kind: 'remittance' | 'settlement' | 'row';
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly currency: string;
  readonly amount: number;
  readonly at: Date;
  /** The remittance of a settlement; null otherwise. */
  readonly remittance_id: string | null;
}

/**
 * Finds the newest remittances, settlements and unrecorded rows of bank files of the tenant whose reference is in the range, or that have one of the
 * amounts: at most `limit` of each kind.
 *
 * @param range null: nothing is found by its reference
 * @param amounts in minor units
 */
export async function searchFunds(
  db: Db,
  tenant: Tenant,
  { range, amounts, limit }: { range: SearchRange | null; amounts: readonly number[]; limit: number },
): Promise<FoundFunds[]> {
  const find = (
    table: Fragment,
    reference: Fragment,
    amount: Fragment,
    columns: Fragment,
    condition: Fragment = db`true`,
  ) => {
    const text = searchedText(db, reference);
    return db<FoundFunds[]>`
      select * from (
        (select ${columns} from ${table}
          where project_id = ${tenant} and ${condition} and ${text} >= ${range?.from ?? ''} and ${text} < ${range?.to ?? ''}
          order by ${text} limit ${limit})
        union
        (select ${columns} from ${table}
          where project_id = ${tenant} and ${condition} and ${amount} = any(${[...amounts]}::bigint[]) order by id desc limit ${limit})
      ) found order by id desc limit ${limit}`;
  };
  const [remittances, settlements, rows] = await Promise.all([
    find(
      db`remittances`,
      db`payer_reference`,
      db`total`,
      db`'remittance' as kind, id, payer_reference as name, status, currency, total as amount, received_at as at,
        null::text as remittance_id`,
    ),
    find(
      db`settlements`,
      db`source_reference`,
      db`amount`,
      db`'settlement' as kind, id, source_reference as name, status, currency, amount, observed_at as at, remittance_id`,
    ),
    find(
      db`bank_entries`,
      db`source_reference`,
      db`amount`,
      db`'row' as kind, id::text as id, source_reference as name,
        case when dismissed_at is null then 'unmatched' else 'dismissed' end as status, currency, amount,
        observed_at as at, null::text as remittance_id`,
      db`returned_entry_id is null and type in ('credit', 'takeback') and recorded + returned < amount`,
    ),
  ]);
  return [...remittances, ...settlements, ...rows];
}
