/** The claims' rows: the lock under which a claim changes, and where it stands. Reads of whole claims are in claims-in-full. */
import type { AdjudicationDecision, ClaimLine, ClaimStatus } from '@carecover/contract';
import { type Db, type Tenant, type Tx } from '@carecover/platform';
import type { Standing } from '../rules/recording';
/** A step in another service that may have been taken; see the column's comment. */
export interface InHand {
    readonly command_id: string;
    readonly update: 'adjudicate' | 'reverse';
    /** ISO 8601; null for a reversal. */
    readonly decided_at: string | null;
}
export interface ClaimRow {
    readonly id: string;
    readonly project_id: Tenant;
    readonly environment: 'sandbox' | 'production';
    readonly provider_claim_reference: string;
    readonly eligibility_check_id: string;
    readonly session_id: string;
    readonly booking_id: string;
    readonly preauthorization_id: string | null;
    readonly service_starts_at: Date;
    readonly service_ends_at: Date;
    readonly lines: ClaimLine[];
    readonly currency: string;
    readonly billed: number;
    readonly status: ClaimStatus;
    readonly submission_version: number;
    readonly adjudication_version: number;
    readonly decision: AdjudicationDecision | null;
    readonly approved: number | null;
    readonly remitted: number | null;
    readonly settled: number | null;
    readonly last_sequence: number;
    readonly event_version: number;
    readonly last_recorded_at: Date;
    readonly closed_through: Date | null;
    readonly in_hand: InHand | null;
    readonly freed_at: Date | null;
    readonly created_at: Date;
    readonly submitted_at: Date;
}
/** What a new claim's row begins with; the rest follows from its facts. */
export type Birth = Pick<ClaimRow, 'id' | 'project_id' | 'environment' | 'provider_claim_reference' | 'eligibility_check_id' | 'session_id' | 'booking_id' | 'preauthorization_id' | 'service_starts_at' | 'service_ends_at' | 'lines' | 'currency' | 'billed'>;
/** A claim that nobody else can change until the transaction ends, and the time, read when that was so. */
export interface LockedClaim {
    readonly row: ClaimRow;
    readonly standing: Standing;
    /** Epoch milliseconds. */
    readonly now: number;
}
/** Locks claims in the order of their ids, so that two lockers never wait for each other. Unknown ones are left out. */
export declare function lockClaims(tx: Tx, tenant: Tenant, claimIds: readonly string[]): Promise<LockedClaim[]>;
/** Locks one claim. @throws Refusal resource_not_found */
export declare function lockClaim(tx: Tx, tenant: Tenant, claimId: string): Promise<LockedClaim>;
/** Makes a claim's row with where its first facts leave it. */
export declare function insertClaim(tx: Tx, birth: Birth, standing: Standing): Promise<void>;
/** Writes where a locked claim stands after its new facts. */
export declare function updateStanding(tx: Tx, claimId: string, standing: Standing, eventVersion: number): Promise<void>;
/** Notes, or forgets, that a command's step in another service may have been taken. */
export declare function setInHand(db: Db, claimId: string, inHand: InHand | null): Promise<void>;
/** Forgets what was in hand for a command that another service refused. */
export declare function clearInHand(db: Db, commandId: string, claimId: string): Promise<void>;
/** Whether the tenant has this claim. */
export declare function claimExists(db: Db, tenant: Tenant, claimId: string): Promise<boolean>;
/** Notes that benefits has heard that an ended claim uses nothing any more. */
export declare function setFreed(db: Db, tenant: Tenant, claimId: string): Promise<void>;
