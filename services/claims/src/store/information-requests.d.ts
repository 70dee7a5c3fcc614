/** The payer's questions about claims: at most one of a claim is open, by the database's own rule. */
import type { ClaimInformationRequest } from '@carecover/contract';
import type { Db, Tx } from '@carecover/platform';
export interface InformationRequestRow {
    readonly id: string;
    readonly claim_id: string;
    readonly number: number;
    readonly reason_code: string;
    readonly requested_evidence_types: string[];
    readonly status: ClaimInformationRequest['status'];
    readonly due_at: Date | null;
    readonly created_at: Date;
    readonly resolved_at: Date | null;
}
/** Opens a request; numbers count per claim. */
export declare function insertRequest(tx: Tx, request: Pick<InformationRequestRow, 'id' | 'claim_id' | 'reason_code' | 'requested_evidence_types' | 'due_at' | 'created_at'>): Promise<void>;
/** A claim's request by id; undefined where the claim has none of that id. */
export declare function findRequest(db: Db, claimId: string, requestId: string): Promise<InformationRequestRow | undefined>;
/** The claim's open request, if it has one. */
export declare function openRequest(db: Db, claimId: string): Promise<InformationRequestRow | undefined>;
/** Ends the claim's open request, if it has one. */
export declare function resolveOpenRequest(tx: Tx, claimId: string, status: 'fulfilled' | 'cancelled', resolvedAt: Date): Promise<void>;
