/**
 * THE table of a claim's lifecycle: which move leads from which status to which. Every committing transaction applies it
 * under the row's lock, and docs/transitions.md is written from it. What a cell does not name is refused (409).
 */
import type { AdjudicationDecision, ClaimStatus, ClaimValuationEventType } from '@carecover/contract';

/** A status, or none before the first fact. */
export type From = ClaimStatus | 'none';

/** Where a cell leads: a status, or back to what the adjudication that stands decided. */
type To = ClaimStatus | 'decision';

interface MoveRow {
  /** The type of the fact that it appends. */
  readonly fact: ClaimValuationEventType;
  /** What the fact's effective_at is; `now` is its recorded_at. */
  readonly effective: 'now' | 'due_at' | 'decided_at' | 'received_at' | 'observed_at' | 'reconciled_at';
  readonly to: Readonly<Partial<Record<From, To>>>;
}

/** What payments has decided is recorded in any state. */
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

/** The move by which an adjudication's decision is recorded. */
export const moveOfDecision = {
  approved: 'approve',
  partially_approved: 'approve_in_part',
  denied: 'deny',
} as const satisfies Record<AdjudicationDecision, Move>;

/** The row of a move, with the types of the table's columns. */
export function rowOf(move: Move): MoveRow {
  return moves[move];
}

/**
 * The status that a move leads to; null where it is refused.
 *
 * @param decision of the adjudication that stands, null where none does
 */
export function nextStatus(
  move: Move,
  from: From,
  decision: AdjudicationDecision | null,
): ClaimStatus | null {
  const to = rowOf(move).to[from];
  return (to === 'decision' ? decision : to) ?? null;
}
