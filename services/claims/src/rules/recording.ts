/**
 * Converts changes of a claim to facts. The transition table accepts or rejects each change, and sequence numbers have no gap. All facts of
 * one commit have the same recorded_at, which is later than the recorded_at of every earlier fact and later than every cutoff for which a
 * valuation was returned.
 */
import type { AdjudicationDecision, ClaimStatus } from '@carecover/contract';
import { ApiError } from '@carecover/domain';
import type { Adjudication, ClaimOpening, Fact, Movement, Recovery } from './facts';
import { type From, nextStatus, rowOf, type Transition } from './transitions';

/** A claim's state after its last fact. Amounts in minor units, times in epoch milliseconds. */
export interface ClaimState {
  readonly status: From;
  readonly submissionVersion: number;
  readonly adjudicationVersion: number;
  /** Decision of the current adjudication; null if there is none. */
  readonly decision: AdjudicationDecision | null;
  readonly approved: number | null;
  /** The patient's part of the current adjudication; null if there is none. */
  readonly patientResponsibility: number | null;
  /** What neither payer nor patient pays by the current adjudication; null if there is none. */
  readonly adjustment: number | null;
  readonly remitted: number | null;
  readonly settled: number | null;
  readonly lastSequence: number;
  readonly lastRecordedAt: number;
  /** The latest effective_at of the claim's facts. */
  readonly lastEffectiveAt: number;
  /** The latest cutoff for which a valuation of the claim, or the sums of its project's portfolio, were returned. */
  readonly closedThrough: number;
}

/** The state of a claim before its first fact. */
export const INITIAL_STATE: ClaimState = {
  status: 'none',
  submissionVersion: 1,
  adjudicationVersion: 0,
  decision: null,
  approved: null,
  patientResponsibility: null,
  adjustment: null,
  remitted: null,
  settled: null,
  lastSequence: 0,
  lastRecordedAt: Number.NEGATIVE_INFINITY,
  lastEffectiveAt: Number.NEGATIVE_INFINITY,
  closedThrough: Number.NEGATIVE_INFINITY,
};

interface Circumstances {
  readonly cause: string;
  readonly authority: string;
  /** ID of the request that caused the change, for the workflow's history; absent if no request of a client did. It is not recorded. */
  readonly requestId?: string;
  /** When the change took effect, in epoch milliseconds; by default the recorded_at of the fact. */
  readonly effectiveAt?: number;
  readonly reasonCode?: string | null;
  readonly evidenceReferences?: readonly string[];
}

type DecisionTransition = 'approve' | 'approve_in_part' | 'deny';
type MovementTransition = 'record_remittance' | 'settle_in_part' | 'settle_in_full';

/** A change of a claim that is not recorded yet: a transition of the transition table, with its cause and its amounts. */
export type Change = Circumstances &
  (
    | { readonly transition: 'create'; readonly detail: ClaimOpening }
    | { readonly transition: DecisionTransition; readonly detail: Adjudication }
    | { readonly transition: MovementTransition; readonly detail: Movement }
    | { readonly transition: 'record_recovery'; readonly detail: Recovery }
    | {
        readonly transition: Exclude<
          Transition,
          'create' | DecisionTransition | MovementTransition | 'record_recovery'
        >;
        readonly detail?: null;
      }
  );

/**
 * Returns the recorded_at of a commit in epoch milliseconds. It is `now`, unless the clock was set back. Then it is later than `now`: after
 * every earlier fact of the claims and after every cutoff for which a valuation was returned, and not before the effective_at of any change
 * of the commit.
 *
 * @param now the database's time, read after the claims were locked
 */
export function recordingTime(
  now: number,
  states: readonly ClaimState[],
  effects: readonly (number | undefined)[],
): number {
  return Math.max(
    now,
    ...states.flatMap((state) => [state.lastRecordedAt + 1, state.closedThrough + 1]),
    ...effects.filter((effect) => effect !== undefined),
  );
}

/** Returns the API error for a transition that the transition table does not allow in the given status. */
export function rejectedTransition(transition: Transition, status: From): ApiError {
  const words: Partial<Record<Transition, string>> = {
    query: 'asked about',
    add_evidence: 'answered with evidence',
    approve: 'adjudicated',
    approve_in_part: 'adjudicated',
    deny: 'adjudicated',
    reverse: 'reversed',
    cancel: 'cancelled',
  };
  return new ApiError(
    'invalid_state',
    `The claim is ${status}, so it can't be ${words[transition] ?? 'changed so'}.`,
  );
}

function carryForward(state: ClaimState, change: Change, status: ClaimStatus): Partial<ClaimState> {
  switch (change.transition) {
    case 'resubmit':
      return { submissionVersion: state.submissionVersion + 1 };
    case 'approve':
    case 'approve_in_part':
    case 'deny':
      return {
        decision: status as AdjudicationDecision,
        approved: change.detail.payer,
        patientResponsibility: change.detail.patient_responsibility,
        adjustment: change.detail.adjustment,
        adjudicationVersion: change.detail.version,
      };
    case 'record_remittance':
      return { remitted: (state.remitted ?? 0) + change.detail.amount };
    case 'record_recovery':
      return { remitted: (state.remitted ?? 0) - change.detail.amount };
    case 'settle_in_part':
    case 'settle_in_full':
      return { settled: (state.settled ?? 0) + change.detail.amount };
    case 'reverse':
      return { decision: null, approved: null, patientResponsibility: null, adjustment: null };
    default:
      return {};
  }
}

/**
 * Applies changes to a claim's state in order, and returns the new state with the facts of the changes. The function has no side effects.
 *
 * @throws ApiError invalid_state if the transition table does not allow a change in the claim's status
 */
export function record(
  before: ClaimState,
  changes: readonly Change[],
  recordedAt: number,
): { readonly state: ClaimState; readonly facts: readonly Fact[] } {
  let state = before;
  const facts: Fact[] = [];
  for (const change of changes) {
    const status = nextStatus(change.transition, state.status, state.decision);
    if (status === null) throw rejectedTransition(change.transition, state.status);
    const sequence = state.lastSequence + 1;
    const effectiveAt = change.effectiveAt ?? recordedAt;
    facts.push({
      type: rowOf(change.transition).fact,
      detail: change.detail ?? null,
      sequence,
      effectiveAt,
      recordedAt,
      previousStatus: state.status === 'none' ? null : state.status,
      nextStatus: status,
      reasonCode: change.reasonCode ?? null,
      evidenceReferences: change.evidenceReferences ?? [],
      cause: change.cause,
      authority: change.authority,
    } as Fact);
    state = {
      ...state,
      ...carryForward(state, change, status),
      status,
      lastSequence: sequence,
      lastRecordedAt: recordedAt,
      lastEffectiveAt: Math.max(state.lastEffectiveAt, effectiveAt),
    };
  }
  return { state, facts };
}

/**
 * Returns the transition (see transitions.ts) that records a settled amount on a claim. A negative amount is the reversal of a settlement, or
 * a settlement of a recovery.
 */
export function settlementTransition(state: ClaimState, amount: number): 'settle_in_full' | 'settle_in_part' {
  return (state.settled ?? 0) + amount === state.approved ? 'settle_in_full' : 'settle_in_part';
}
