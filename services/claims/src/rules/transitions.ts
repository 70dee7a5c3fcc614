/**
 * The table of a claim's lifecycle: which move leads from which status to which. Every committing transaction applies it under the
 * claim's lock, and the documentation's table is generated from it. A move without a cell for the status is rejected (409).
 */
import type { AdjudicationDecision, ClaimStatus, ClaimValuationEventType } from '@carecover/contract';

/** A status; `none` before the first fact. */
export type From = ClaimStatus | 'none';

/** The next status: a fixed one, or the decision of the current adjudication. */
type To = ClaimStatus | 'decision';

interface MoveRow {
  /** The type of the fact that it appends. */
  readonly fact: ClaimValuationEventType;
  /** The source of the fact's effective_at; `now` is its recorded_at. */
  readonly effective: 'now' | 'due_at' | 'decided_at' | 'received_at' | 'observed_at' | 'reconciled_at';
  readonly to: Readonly<Partial<Record<From, To>>>;
}

/** Decisions of payments are recorded in any status. */
const UNCHANGED = {
  submitted: 'submitted',
  queried: 'queried',
  approved: 'approved',
  partially_approved: 'partially_approved',
  denied: 'denied',
  settled: 'settled',
  reversed: 'reversed',
  cancelled: 'cancelled',
} as const satisfies Partial<Record<From, To>>;

function fromUndecidedOrDecided<const D extends AdjudicationDecision>(decision: D) {
  return { submitted: decision, approved: decision, partially_approved: decision, denied: decision };
}

export const moves = {
  create: { fact: 'created', effective: 'now', to: { none: 'draft' } },
  validate: { fact: 'validated', effective: 'now', to: { draft: 'draft' } },
  submit: { fact: 'submitted', effective: 'now', to: { draft: 'submitted' } },
  query: { fact: 'queried', effective: 'now', to: { submitted: 'queried' } },
  lapse: { fact: 'submitted', effective: 'due_at', to: { queried: 'submitted' } },
  add_evidence: { fact: 'evidence_added', effective: 'now', to: { queried: 'queried' } },
  resubmit: { fact: 'resubmitted', effective: 'now', to: { queried: 'submitted' } },
  approve: { fact: 'approved', effective: 'decided_at', to: fromUndecidedOrDecided('approved') },
  approve_in_part: {
    fact: 'partially_approved',
    effective: 'decided_at',
    to: fromUndecidedOrDecided('partially_approved'),
  },
  deny: { fact: 'denied', effective: 'decided_at', to: fromUndecidedOrDecided('denied') },
  record_remittance: { fact: 'remittance_recorded', effective: 'received_at', to: UNCHANGED },
  settle_in_part: { fact: 'settled', effective: 'observed_at', to: { ...UNCHANGED, settled: 'decision' } },
  settle_in_full: {
    fact: 'settled',
    effective: 'observed_at',
    to: { ...UNCHANGED, approved: 'settled', partially_approved: 'settled' },
  },
  reconcile: { fact: 'reconciled', effective: 'reconciled_at', to: UNCHANGED },
  reverse: {
    fact: 'reversed',
    effective: 'now',
    to: { approved: 'reversed', partially_approved: 'reversed', settled: 'reversed' },
  },
  cancel: { fact: 'cancelled', effective: 'now', to: { submitted: 'cancelled', queried: 'cancelled' } },
} as const satisfies Record<string, MoveRow>;

export type Move = keyof typeof moves;

/** The move that records an adjudication's decision. */
export const moveOfDecision = {
  approved: 'approve',
  partially_approved: 'approve_in_part',
  denied: 'deny',
} as const satisfies Record<AdjudicationDecision, Move>;

/** The table's row for a move. */
export function rowOf(move: Move): MoveRow {
  return moves[move];
}

/**
 * The next status for a move; null if the table rejects it.
 *
 * @param decision of the current adjudication, or null if there is none
 */
export function nextStatus(
  move: Move,
  from: From,
  decision: AdjudicationDecision | null,
): ClaimStatus | null {
  const to = rowOf(move).to[from];
  return (to === 'decision' ? decision : to) ?? null;
}
