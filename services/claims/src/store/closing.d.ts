/**
 * The seal that makes a valuation last: a claim is closed through every cutoff that was answered, under the lock under which its
 * writers choose their recorded_at, so that none can fall inside an answered cutoff afterwards.
 */
import type { Db, Tenant } from '@carecover/platform';
/** How far the claim's history is final, and the database's time (epoch milliseconds); `through` null where there is no such claim. */
export declare function horizonOf(db: Db, tenant: Tenant, claimId: string): Promise<{
    readonly through: number | null;
    readonly now: number;
}>;
/** Closes the claim through `cutoff` (epoch milliseconds), waiting for a writer that is at it. Never moves it back. */
export declare function closeThrough(db: Db, claimId: string, cutoff: number): Promise<void>;
