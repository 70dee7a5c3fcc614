/** The checkpoint of the verification: which postings are verified, and how far an unfinished pass is. */
import { jsonb, type Sql } from '@carecover/postgres';
import type { Difference } from '../difference';

/**
 * The longest time for which a transaction of the service can be open. The ID of a posting is assigned before the commit, so a posting that
 * is committed later can have a smaller ID.
 */
const LONGEST_TRANSACTION = '10 minutes';

/** The results of a verification, added up over the ranges that it has verified. */
export interface Totals {
  readonly postings: number;
  readonly claims: number;
  readonly remittances: number;
  /** Number of claims that are not compared, because they have a pending notification or a pending step. */
  readonly inFlight: number;
  /** Number of differences. */
  readonly different: number;
  /** The first 1,000 differences. */
  readonly differences: readonly Difference[];
}

/** The progress of a verification pass. It is stored after each range, so that an interrupted pass continues. */
export interface Pass {
  /** The pass verifies the claims that have a posting with a larger ID than this; null if the pass verifies the whole ledger. */
  readonly changedSince: number | null;
  /** The ID of the last posting at the start of the pass. */
  readonly through: number;
  /**
   * The next pass verifies the claims that have a posting with a larger ID than this. This ID can be smaller than `through`, because some
   * postings up to `through` were perhaps not committed when the pass started.
   */
  readonly nextSince: number;
  /** The kind of the next range; null if the pass has ended. */
  readonly next: 'claims' | 'remittances' | null;
  /** The last verified ID: of a claim or remittance by `next`, or of a posting if the pass verifies only changed claims. */
  readonly after: string;
  readonly totals: Totals;
}

export interface Checkpoint {
  /** Postings up to this ID were verified by a pass without differences; null if the next pass must verify the whole ledger. */
  readonly verifiedThrough: number | null;
  /** The pass that did not end; null if the last pass has ended. */
  readonly pass: Pass | null;
}

export async function readCheckpoint(sql: Sql): Promise<Checkpoint> {
  const [row] = await sql<{ verified_through: number | null; pass: Pass | null }[]>`
    select verified_through, pass from payments.ledger_verification`;
  return { verifiedThrough: row?.verified_through ?? null, pass: row?.pass ?? null };
}

/** Stores how far a pass is. */
export async function savePass(sql: Sql, pass: Pass): Promise<void> {
  await sql`
    insert into payments.ledger_verification (pass) values (${jsonb(pass)})
    on conflict (only_row) do update set pass = excluded.pass`;
}

/** Stores that a pass has ended. @param verifiedThrough as in {@link Checkpoint} */
export async function saveEnd(sql: Sql, verifiedThrough: number | null): Promise<void> {
  await sql`
    insert into payments.ledger_verification (verified_through, pass) values (${verifiedThrough}, null)
    on conflict (only_row) do update set verified_through = excluded.verified_through, pass = null`;
}

/** The IDs of postings at the start of a pass. */
export interface PostingIds {
  /** The largest ID of all postings in the ledger; 0 if it has none. */
  readonly last: number;
  /** Every posting whose ID is at most this has been committed. */
  readonly committedThrough: number;
}

/** Reads the IDs. The recorded_at of a posting of a simulated project says nothing about the age of its transaction. */
export async function readPostingIds(sql: Sql): Promise<PostingIds> {
  const [row] = await sql<PostingIds[]>`
    select coalesce((select max(id) from payments.postings), 0) as last,
      coalesce((select id from payments.postings
                where recorded_at <= platform.now() - ${LONGEST_TRANSACTION}::interval and not platform.is_simulated(project_id)
                order by id desc limit 1), 0) as "committedThrough"`;
  return row ?? { last: 0, committedThrough: 0 };
}

/** Returns the number of accounts in the ledger, for the progress of a whole pass. */
export async function countAccounts(sql: Sql): Promise<number> {
  const [row] = await sql<{ count: number }[]>`select count(*) as count from payments.claim_accounts`;
  return row?.count ?? 0;
}
