/**
 * The committing of facts: inside the caller's transaction, under the rows' locks, the facts, where each claim stands after them,
 * and the events that tell of them. There is no other way to change a claim.
 */
import { type Tx } from '@carecover/platform';
import { type Happening } from '../rules/recording';
import { type Birth, type LockedClaim } from './claims';
/** What is to be recorded on a claim. */
export interface Entry {
    readonly claim: LockedClaim;
    readonly happenings: readonly Happening[];
}
/**
 * Records on several locked claims, with one recorded_at for all; gives that moment in epoch milliseconds.
 *
 * @throws Refusal invalid_state where the transition table refuses
 */
export declare function recordOnAll(tx: Tx, entries: readonly Entry[]): Promise<number>;
/** Records on one locked claim; as {@link recordOnAll}. */
export declare function recordOn(tx: Tx, claim: LockedClaim, ...happenings: (Happening | null)[]): Promise<number>;
/** Records a claim's first facts, and so brings it into being. `now` in epoch milliseconds. */
export declare function recordBirth(tx: Tx, birth: Birth, happenings: readonly Happening[], now: number): Promise<void>;
