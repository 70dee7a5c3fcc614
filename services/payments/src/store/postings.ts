/** Writes postings; the database derives the balances from them in the same statement. */
import type { Db, Fragment, Tx } from '@carecover/platform';
import type { Move } from '../ledger/chart';

/** Why a group of postings exists, and when. */
interface Entry {
  readonly tenant: string;
  readonly currency: string;
  /** The id of what caused it; see {@link reversalOf}. A cause moves the same money once. */
  readonly cause: string;
  /** Business time: when the fact took effect. */
  readonly effectiveAt: Date;
  /** Knowledge time: the transaction's. */
  readonly recordedAt: Date;
}

/** The cause of what a reversal of this resource posts. */
export function reversalOf(id: string): string {
  return `${id}:reversal`;
}

/** Moves under one entry. */
export interface Group {
  readonly entry: Entry;
  readonly moves: readonly Move[];
}

/**
 * SQL that posts groups of moves, in their order, of claims whose accounts the transaction holds locked: one statement, so that
 * each balance is written once. It fails where a balance would break its bounds. Null where nothing moves.
 */
export function insertPostings(db: Db, groups: readonly Group[]): Fragment | null {
  const rows = groups.flatMap(({ entry, moves }) =>
    moves.map(({ claimId, source, destination, amount }) => ({
      project_id: entry.tenant,
      claim_id: claimId,
      source,
      destination,
      amount,
      currency: entry.currency,
      cause: entry.cause,
      effective_at: entry.effectiveAt.toISOString(),
      recorded_at: entry.recordedAt.toISOString(),
    })),
  );
  if (rows.length === 0) return null;
  return db`
    insert into postings (project_id, claim_id, source, destination, amount, currency, cause, effective_at, recorded_at)
    select * from jsonb_to_recordset(${db.json(rows)})
      as move (project_id text, claim_id text, source account, destination account, amount bigint, currency text,
               cause text, effective_at timestamptz, recorded_at timestamptz)`;
}

/** Executes {@link insertPostings}. */
export async function post(tx: Tx, groups: readonly Group[]): Promise<void> {
  await insertPostings(tx, groups);
}
