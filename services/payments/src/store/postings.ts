/** Writes postings; a database trigger updates the balances in the same statement. */
import { type Db, type Fragment, jsonb, type Tx } from '@carecover/platform';
import type { Move } from '../ledger/chart';

/** The cause and the times of a group of postings. */
interface Entry {
  readonly tenant: string;
  readonly currency: string;
  /** The ID of the adjudication, remittance or settlement, or see {@link reversalOf}. A cause posts once per claim and pair of accounts. */
  readonly cause: string;
  /** When the fact took effect. */
  readonly effectiveAt: Date;
  /** The transaction's time. */
  readonly recordedAt: Date;
}

/** Returns the cause of the postings that a reversal of this resource makes. */
export function reversalOf(id: string): string {
  return `${id}:reversal`;
}

/** Moves with the same cause and times. */
export interface Group {
  readonly entry: Entry;
  readonly moves: readonly Move[];
}

/**
 * SQL that posts groups of moves in their order, in one statement, so that each balance is written once. The transaction must hold
 * the locks of the claims' accounts. It fails if a balance would violate its constraint. Null if there is no move.
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
    select * from jsonb_to_recordset(${jsonb(rows)})
      as move (project_id text, claim_id text, source account, destination account, amount bigint, currency text,
               cause text, effective_at timestamptz, recorded_at timestamptz)`;
}

/** Executes {@link insertPostings}. */
export async function post(tx: Tx, groups: readonly Group[]): Promise<void> {
  await insertPostings(tx, groups);
}
