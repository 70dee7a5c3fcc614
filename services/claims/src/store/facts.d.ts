import type { Db, Tx } from '@carecover/platform';
import type { Fact } from '../rules/facts';
/** Appends facts to a claim whose row is locked. */
export declare function appendFacts(tx: Tx, claimId: string, facts: readonly Fact[]): Promise<void>;
/** A claim's facts recorded and in effect at `cutoff` (epoch milliseconds, inclusive), in sequence. */
export declare function factsKnownAt(db: Db, claimId: string, cutoff: number): Promise<Fact[]>;
/** Which of these claims have facts of a cause already. */
export declare function claimsWithCause(db: Db, claimIds: readonly string[], cause: string): Promise<Set<string>>;
