/** Writes postings; the database derives the balances from them in the same statement. */
import type { Tx } from '@carecover/platform';
import type { Move } from '../ledger/chart';

/** Why a group of postings exists, and when. */
export interface Entry {
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

/** Posts moves of claims whose accounts the transaction holds locked. @throws where a balance would break its bounds */
export async function post(tx: Tx, entry: Entry, moves: readonly Move[]): Promise<void> {
  if (moves.length === 0) return;
  const rows = moves.map(({ claimId, source, destination, amount }) => ({
    claim_id: claimId,
    source,
    destination,
    amount,
  }));
  await tx`
    insert into postings (project_id, claim_id, source, destination, amount, currency, cause, effective_at, recorded_at)
    select ${entry.tenant}, claim_id, source, destination, amount, ${entry.currency}, ${entry.cause},
           ${entry.effectiveAt}, ${entry.recordedAt}
    from jsonb_to_recordset(${tx.json(rows)})
      as move (claim_id text, source account, destination account, amount bigint)`;
}

/** What last moved money into, or out of, what is settled of each of these claims, whose accounts the transaction holds locked: its cause. */
export async function lastSettlingCauses(tx: Tx, claimIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await tx<{ claim_id: string; cause: string }[]>`
    select distinct on (claim_id) claim_id, cause from postings
    where claim_id = any(${[...claimIds]})
      and ((source = 'remitted' and destination = 'cash_observed') or (source = 'cash_observed' and destination = 'remitted'))
    order by claim_id, id desc`;
  return new Map(rows.map(({ claim_id, cause }) => [claim_id, cause]));
}
