/**
 * How things that happen become facts: the transition table judges each, amounts are carried forward, sequences have no gap,
 * and one commit has one recorded_at, later than all before it and than every cutoff that was answered.
 */
import type { AdjudicationDecision } from '@carecover/contract';
import { Refusal } from '@carecover/platform';
import type { Fact, Judgement, Movement, Opening } from './facts';
import { type From, type Move } from './transitions';
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
export declare const UNBORN: Standing;
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
export type Happening = Circumstances & ({
    readonly move: 'create';
    readonly detail: Opening;
} | {
    readonly move: DecisionMove;
    readonly detail: Judgement;
} | {
    readonly move: MovementMove;
    readonly detail: Movement;
} | {
    readonly move: Exclude<Move, 'create' | DecisionMove | MovementMove>;
    readonly detail?: null;
});
/**
 * The recorded_at of a commit. `now` must be read after the locks are held. Knowledge never precedes effect: where the clock
 * stepped back after the effect was checked, the effect's own time says how late it is at least.
 */
export declare function recordingTime(now: number, standings: readonly Standing[], effects: readonly (number | undefined)[]): number;
/** What a refused move is told as. */
export declare function refusedMove(move: Move, status: From): Refusal;
/**
 * Applies what happens, in order, and gives the facts of it. Pure: nothing is changed where it throws.
 *
 * @throws Refusal invalid_state where the table has no such move from the claim's status
 */
export declare function record(before: Standing, happenings: readonly Happening[], recordedAt: number): {
    readonly standing: Standing;
    readonly facts: readonly Fact[];
};
/** The move by which an amount that moved (negative: was taken back) is recorded on a claim that stands so. */
export declare function settlementMove(standing: Standing, amount: number): 'settle_in_full' | 'settle_in_part';
export {};
