/** SQL of the search of operators for remittances, settlements and rows of bank files. */

import type { Tenant } from '@carecover/domain';
import { type Db, findByTextOrAmount, type Search, type SearchedTable } from '@carecover/postgres';

/** A remittance, settlement or row of a bank file that a search found. The amount is in minor units. */
export interface FoundFunds {
  readonly kind: 'remittance' | 'settlement' | 'row';
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly currency: string;
  readonly amount: number;
  readonly at: Date;
  readonly created_at: Date;
  /** The remittance of a settlement; null otherwise. */
  readonly remittance_id: string | null;
}

/**
 * Finds the newest remittances, settlements and unrecorded rows of bank files of the tenant whose reference is in the range, or that have one of the
 * amounts: at most `limit` of each kind.
 */
export async function searchFunds(db: Db, tenant: Tenant, search: Search): Promise<FoundFunds[]> {
  const found = await Promise.all(
    searchedTables(db).map((table) => findByTextOrAmount<FoundFunds>(db, tenant, table, search)),
  );
  return found.flat();
}

const searchedTables = (db: Db): readonly SearchedTable[] => [
  {
    table: db`remittances`,
    text: db`payer_reference`,
    amount: db`total`,
    createdAt: db`created_at`,
    columns: db`'remittance' as kind, id, payer_reference as name, status, currency, total as amount, received_at as at,
      null::text as remittance_id`,
  },
  {
    table: db`settlements`,
    text: db`source_reference`,
    amount: db`amount`,
    createdAt: db`created_at`,
    columns: db`'settlement' as kind, id, source_reference as name, status, currency, amount, observed_at as at, remittance_id`,
  },
  {
    table: db`bank_entries`,
    text: db`source_reference`,
    amount: db`amount`,
    createdAt: db`imported_at`,
    columns: db`'row' as kind, id::text as id, source_reference as name,
      case when dismissed_at is null then 'unmatched' else 'dismissed' end as status, currency, amount,
      observed_at as at, null::text as remittance_id`,
    condition: db`returned_entry_id is null and type in ('credit', 'takeback') and recorded + returned < amount`,
  },
];
