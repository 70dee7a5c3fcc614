/** The part of the ledger that one database snapshot verifies: a range of claims or remittances by ID, or the ones with given IDs. */
import { type Db, type Fragment, identifier, type Tx } from '@carecover/postgres';

export type Selection =
  /** The IDs above `after`, up to and including `through`; if `through` is null, all IDs above `after`. */
  { readonly after: string; readonly through: string | null } | { readonly ids: readonly string[] };

/** Maximum number of claims or remittances in a range. */
const RANGE = 1_000;
/** Maximum number of postings whose claims one snapshot verifies. */
const POSTINGS = 4_000;

/** SQL condition that the ID in a column is selected. @param column for example `posting.claim_id` */
export function isSelected(db: Db, column: string, selection: Selection): Fragment {
  const id = db`${identifier(column)}`;
  if ('ids' in selection) return db`${id} = any(${[...selection.ids]})`;
  const { after, through } = selection;
  return through === null ? db`${id} > ${after}` : db`${id} > ${after} and ${id} <= ${through}`;
}

/**
 * Returns the next range of claims. Its bounds are IDs of claims with an account; claims without an account belong to the range that
 * contains their ID.
 */
export async function nextClaims(tx: Tx, after: string): Promise<{ after: string; through: string | null }> {
  const [last] = await tx<{ claim_id: string }[]>`
    select claim_id from payments.claim_accounts where claim_id > ${after} order by claim_id offset ${RANGE - 1} limit 1`;
  return { after, through: last?.claim_id ?? null };
}

/** Returns the next remittances after an ID: all, or the ones that are not reconciled. Null if there are no more. */
export async function nextRemittances(
  tx: Tx,
  after: string,
  isOpenOnly: boolean,
): Promise<readonly string[]> {
  const isOpen = isOpenOnly ? tx`and status not in ('reconciled', 'withdrawn')` : tx``;
  const rows = await tx<{ id: string }[]>`
    select id from payments.remittances where id > ${after} ${isOpen} order by id limit ${RANGE}`;
  return rows.map(({ id }) => id);
}

/** The claims whose last posting is in a range of postings, and the remittances that pay these claims. */
export interface ChangedClaims {
  readonly claims: readonly string[];
  readonly remittances: readonly string[];
  /** The ID of the last posting of the range; null if the range has none. */
  readonly lastPosting: number | null;
}

/** Returns the claims of the next postings with an ID above `after` and up to `through`. */
export async function nextChangedClaims(tx: Tx, after: number, through: number): Promise<ChangedClaims> {
  const [row] = await tx<{ claims: string[]; remittances: string[]; last: number | null }[]>`
    with posting as (
      select id, claim_id from payments.postings where id > ${after} and id <= ${through} order by id limit ${POSTINGS}
    ), changed as (
      select distinct claim_id from posting
      where not exists (
        select 1 from payments.postings later
        where later.claim_id = posting.claim_id and later.id > (select max(id) from posting) and later.id <= ${through})
    )
    select array(select claim_id from changed) as claims,
      array(select distinct remittance_id from payments.remittance_claims join changed using (claim_id)) as remittances,
      (select max(id) from posting) as last`;
  return { claims: row?.claims ?? [], remittances: row?.remittances ?? [], lastPosting: row?.last ?? null };
}
