/** Claims as the API shows them, each read in one statement and so from one moment. */
import type { Adjudication, Claim, ClaimInformationRequest } from '@carecover/contract';
import { type Db, type Tenant } from '@carecover/platform';
import type { ClaimRow } from './claims';
/** A request inside the view's JSON: times are PostgreSQL's text of a timestamp. */
interface RequestInView {
    id: string;
    reason_code: string;
    requested_evidence_types: string[];
    status: ClaimInformationRequest['status'];
    due_at: string | null;
    created_at: string;
    resolved_at: string | null;
}
export type ClaimInFull = ClaimRow & {
    readonly information_requests: RequestInView[];
    readonly adjudication: Adjudication | null;
};
/** The claim's resource. */
export declare function toClaim(row: ClaimInFull): Claim;
/** One claim in full, null where the tenant has none of that id. */
export declare function findClaimInFull(db: Db, tenant: Tenant, claimId: string): Promise<ClaimInFull | null>;
/** One claim's resource. @throws Refusal resource_not_found */
export declare function readClaim(db: Db, tenant: Tenant, claimId: string): Promise<Claim>;
export {};
