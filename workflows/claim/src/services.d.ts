import type { CareForClaims } from './ports';
import type { ClaimSteps } from './steps';
export declare const own: import("@temporalio/workflow").LocalActivityInterfaceFor<ClaimSteps>;
export declare const care: import("@temporalio/workflow").ActivityInterfaceFor<CareForClaims>;
export declare const useForClaim: import("@temporalio/workflow").ActivityFunctionWithOptions<(input: {
    caller: import("@carecover/platform").Caller;
    claimId: string;
    eligibilityCheckId: string;
    preauthorizationId: string | null;
    session: import("./ports").SessionFacts;
    serviceCodes: readonly string[];
}) => Promise<{
    preauthorizationId: string | null;
    currency: string;
}>>;
export declare const freeFromClaim: import("@temporalio/workflow").ActivityFunctionWithOptions<(input: {
    tenant: string;
    claimId: string;
}) => Promise<void>>;
export declare const openLiability: import("@temporalio/workflow").ActivityFunctionWithOptions<(input: {
    tenant: string;
    environment: 'sandbox' | 'production';
    claimId: string;
    adjudicationId: string;
    adjudicationVersion: number;
    currency: string;
    amount: {
        billed: number;
        payer: number;
        patient_responsibility: number;
        adjustment: number;
    };
    decidedAt: string;
}) => Promise<void>>;
export declare const reverseLiability: import("@temporalio/workflow").ActivityFunctionWithOptions<(input: {
    tenant: string;
    claimId: string;
}) => Promise<void>>;
