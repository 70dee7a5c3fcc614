/** The frame of every step that changes a claim: its row locked, a lapse that is due counted first, and one transaction for all. */
import { type Command, type Sql, type Tx } from '@carecover/platform';
import type { ClaimView } from '@carecover/workflow-claim';
import type { Happening } from '../rules/recording';
import type { From } from '../rules/transitions';
import { type LockedClaim } from '../store/claims';
/** Which claim a step is for, and for which command. */
export interface OfClaim {
    readonly tenant: string;
    readonly claimId: string;
}
export interface OfCommand extends OfClaim {
    readonly commandId: string;
}
/** A locked claim as it stands now: a request that nobody answered by its due_at has lapsed, whether or not its timer fired. */
export interface ClaimInTime {
    readonly claim: LockedClaim;
    /** To be recorded first in this transaction. */
    readonly lapse: Happening | null;
    /** After the lapse. */
    readonly status: From;
}
/** Locks the claim and ends its open request if that is due. @throws Refusal resource_not_found */
export declare function lockInTime(tx: Tx, { tenant, claimId }: OfClaim): Promise<ClaimInTime>;
/**
 * Carries a command out in its one committing transaction and answers it with the claim as it then is.
 *
 * @param status the answer's HTTP status
 * @throws Refusal as `effect` refuses, resource_not_found; CommandGone
 */
export declare function commitOnClaim(sql: Sql, of: OfCommand, status: 200 | 201, effect: (tx: Tx, inTime: ClaimInTime, command: Command) => Promise<void>): Promise<ClaimView>;
/** As {@link commitOnClaim}, for an effect that locks, or makes, the claim itself. */
export declare function commitWithAnswer(sql: Sql, of: OfCommand, status: 200 | 201, effect: (tx: Tx, command: Command) => Promise<void>): Promise<ClaimView>;
/**
 * A step before the commit: reads the command, and drops it where `step` refuses. Null where it was answered before.
 *
 * @throws Refusal as `step` refuses; CommandGone
 */
export declare function prepare<T>(sql: Sql, of: OfCommand, step: (tx: Tx, command: Command) => Promise<T>): Promise<T | null>;
