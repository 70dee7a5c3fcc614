import type { ResourceWorkflow } from '@carecover/platform';
export declare const TASK_QUEUE = "claims";
/** Which Update carries out which operation. */
export declare const updateOf: {
    readonly createClaim: 'submit';
    readonly requestClaimInformation: 'requestInformation';
    readonly submitClaimEvidence: 'submitEvidence';
    readonly adjudicateClaim: 'adjudicate';
    readonly cancelClaim: 'cancel';
    readonly reverseClaim: 'reverse';
};
export type ClaimCommand = keyof typeof updateOf;
export declare function isClaimCommand(operation: string): operation is ClaimCommand;
/** How a claim's workflow is started. */
export declare function workflowOf(claim: {
    readonly claimId: string;
    readonly tenant: string;
    readonly environment: 'sandbox' | 'production';
}): ResourceWorkflow;
