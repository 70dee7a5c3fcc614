/**
 * How things that happen become facts: the transition table judges each, amounts are carried forward, sequences have no gap,
 * and one commit has one recorded_at, later than all before it and than every cutoff that was answered.
 */
import type { AdjudicationDecision, ClaimStatus } from '@carecover/contract';
import { Refusal } from '@carecover/platform';
import type { Fact, Judgement, Movement, Opening } from './facts';
import { type From, type Move, nextStatus, rowOf } from './transitions';

/** Where a claim stands: what each fact moves on. Amounts in minor units, times in epoch milliseconds. */
export interface Standing {
  readonly status: From;
  readonly submissionVersion: number;
  readonly adjudicationVersion: number;
  /** Of the adjudication that stands; null while none does. */
  readonly decision: AdjudicationDecision | null;
  readonly approved: number | null;
  readonly remitted: number | null;
  readonly settled: number | null;
  readonly lastSequence: number;
  readonly lastRecordedAt: number;
  /** The latest cutoff that was answered. */
  readonly closedThrough: number;
}

/** Before the first fact. */
export const UNBORN: Standing = {
  status: 'none',
  submissionVersion: 1,
  adjudicationVersion: 0,
  decision: null,
  approved: null,
  remitted: null,
  settled: null,
  lastSequence: 0,
  lastRecordedAt: Number.NEGATIVE_INFINITY,
  closedThrough: Number.NEGATIVE_INFINITY,
};

interface Circumstances {
  readonly cause: string;
  readonly authority: string;
  /** When it took effect, where that is not the moment of recording. */
  readonly effectiveAt?: number;
  readonly reasonCode?: string | null;
  readonly evidenceReferences?: readonly string[];
}

type DecisionMove = 'approve' | 'approve_in_part' | 'deny';
type MovementMove = 'record_remittance' | 'settle_in_part' | 'settle_in_full';

/** Something that happens to a claim. */
export type Happening = Circumstances &
  (
    | { readonly move: 'create'; readonly detail: Opening }
    | { readonly move: DecisionMove; readonly detail: Judgement }
    | { readonly move: MovementMove; readonly detail: Movement }
    | { readonly move: Exclude<Move, 'create' | DecisionMove | MovementMove>; readonly detail?: null }
  );

/**
 * The recorded_at of a commit. `now` must be read after the locks are held. Knowledge never precedes effect: where the clock
 * stepped back after the effect was checked, the effect's own time says how late it is at least.
 */
export function recordingTime(
  now: number,
  standings: readonly Standing[],
  effects: readonly (number | undefined)[],
): number {
  return Math.max(
    now,
    ...standings.flatMap((standing) => [standing.lastRecordedAt + 1, standing.closedThrough + 1]),
    ...effects.filter((effect) => effect !== undefined),
  );
}

/** What a refused move is told as. */
export function refusedMove(move: Move, status: From): Refusal {
  const words: Partial<Record<Move, string>> = {
    query: 'asked about',
    add_evidence: 'answered with evidence',
    approve: 'adjudicated',
    approve_in_part: 'adjudicated',
    deny: 'adjudicated',
    reverse: 'reversed',
    cancel: 'cancelled',
  };
  return new Refusal(
    'invalid_state',
    `The claim is ${status}, so it can't be ${words[move] ?? 'changed so'}.`,
  );
}

function carryForward(standing: Standing, happening: Happening, status: ClaimStatus): Partial<Standing> {
  switch (happening.move) {
    case 'resubmit':
      return { submissionVersion: standing.submissionVersion + 1 };
    case 'approve':
    case 'approve_in_part':
    case 'deny':
      return {
        decision: status as AdjudicationDecision,
        approved: happening.detail.payer,
        adjudicationVersion: happening.detail.version,
      };
    case 'record_remittance':
      return { remitted: (standing.remitted ?? 0) + happening.detail.amount };
    case 'settle_in_part':
    case 'settle_in_full':
      return { settled: (standing.settled ?? 0) + happening.detail.amount };
    case 'reverse':
      return { decision: null, approved: null };
    default:
      return {};
  }
}

/**
 * Applies what happens, in order, and gives the facts of it. Pure: nothing is changed where it throws.
 *
 * @throws Refusal invalid_state where the table has no such move from the claim's status
 */
export function record(
  before: Standing,
  happenings: readonly Happening[],
  recordedAt: number,
): { readonly standing: Standing; readonly facts: readonly Fact[] } {
  let standing = before;
  const facts: Fact[] = [];
  for (const happening of happenings) {
    const status = nextStatus(happening.move, standing.status, standing.decision);
    if (status === null) throw refusedMove(happening.move, standing.status);
    const sequence = standing.lastSequence + 1;
    facts.push({
      type: rowOf(happening.move).fact,
      detail: happening.detail ?? null,
      sequence,
      effectiveAt: happening.effectiveAt ?? recordedAt,
      recordedAt,
      previousStatus: standing.status === 'none' ? null : standing.status,
      nextStatus: status,
      reasonCode: happening.reasonCode ?? null,
      evidenceReferences: happening.evidenceReferences ?? [],
      cause: happening.cause,
      authority: happening.authority,
    } as Fact);
    standing = {
      ...standing,
      ...carryForward(standing, happening, status),
      status,
      lastSequence: sequence,
      lastRecordedAt: recordedAt,
    };
  }
  return { standing, facts };
}

/** The move by which an amount that moved (negative: was taken back) is recorded on a claim that stands so. */
export function settlementMove(standing: Standing, amount: number): 'settle_in_full' | 'settle_in_part' {
  return (standing.settled ?? 0) + amount === standing.approved ? 'settle_in_full' : 'settle_in_part';
}
