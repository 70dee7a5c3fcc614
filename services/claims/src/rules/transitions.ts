/**
 * The transition table of a claim: which move leads from which status to which status. Every transaction that changes a claim applies it
 * while the claim's row is locked. A transition that the table does not allow in a status is rejected with 409. The documentation is generated
 * from the table.
 */
import type { AdjudicationDecision, ClaimStatus } from '@carecover/contract';
import type { FactType } from './facts';

/** A claim's status before a transition; `none` before the first fact. */
export type From = ClaimStatus | 'none';

/** A claim's status after a transition; `decision` means the status that the current adjudication has decided, such as `approved`. */
type To = ClaimStatus | 'decision';

interface TransitionRow {
  /** The type of the fact that the transition appends. */
  readonly fact: FactType;
  /** Which time becomes the fact's effective_at; `now` means the fact's recorded_at. */
  readonly effective: 'now' | 'due_at' | 'decided_at' | 'received_at' | 'observed_at' | 'reconciled_at';
  readonly to: Readonly<Partial<Record<From, To>>>;
}

/** The statuses before and after a transition that payments has decided: it is allowed in every status, and the claim keeps its status. */
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

export const transitions = {
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
  record_recovery: { fact: 'remittance_recovered', effective: 'received_at', to: UNCHANGED },
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
} as const satisfies Record<string, TransitionRow>;

export type Transition = keyof typeof transitions;

/** The transition that records each decision of an adjudication. */
export const transitionOfDecision = {
  approved: 'approve',
  partially_approved: 'approve_in_part',
  denied: 'deny',
} as const satisfies Record<AdjudicationDecision, Transition>;

/** Returns the row of the transition table for a transition. */
export function rowOf(transition: Transition): TransitionRow {
  return transitions[transition];
}

/**
 * Returns a claim's status after a transition; null if the transition table does not allow the transition.
 *
 * @param decision the decision of the current adjudication; null if there is none
 */
export function nextStatus(
  transition: Transition,
  from: From,
  decision: AdjudicationDecision | null,
): ClaimStatus | null {
  const to = rowOf(transition).to[from];
  return (to === 'decision' ? decision : to) ?? null;
}
