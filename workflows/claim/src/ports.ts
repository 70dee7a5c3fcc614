/**
 * Steps of the claim's workflow in other services: HTTP calls from its local activities. Each can be repeated after a crash with the same
 * input without a second effect. Rejections have the contract's codes. The second argument is the request's ID.
 */
import type { Environment } from '@carecover/contract';
import type { Caller } from '@carecover/platform';
import { localSteps } from '@carecover/platform/workflow';

/** A session's current state in care; times in ISO 8601 UTC. */
export interface SessionFacts {
  readonly sessionId: string;
  readonly bookingId: string;
  readonly practitionerId: string;
  readonly startsAt: string;
  readonly endsAt: string;
  readonly status: 'reserved' | 'confirmed' | 'in_progress' | 'delivered' | 'cancelled';
  readonly paymentSource: 'self_pay' | 'covered';
}

/** Steps in care. */
export interface CareForClaims {
  /** Reads a session. @throws ApiError `resource_not_found` */
  sessionForClaim(input: { tenant: string; sessionId: string }, requestId: string): Promise<SessionFacts>;
}

/** The pre-authorization that a claim uses, and the values that the claim stores of the coverage under which it is submitted. */
export interface Use {
  readonly preauthorizationId: string | null;
  readonly currency: string;
  /** Surrogate of the coverage's `source_contract_reference`, the payer's contract, which can name a person. */
  readonly payerId: string;
  /** Name of the coverage's plan. */
  readonly plan: string;
}

/** Steps in benefits. */
export interface BenefitsForClaims {
  /**
   * Checks whether a claim can be submitted with its eligibility check, consent, session and pre-authorization, in the contract's order,
   * and marks the pre-authorization as used by this claim.
   * @throws ApiError resource_not_found (check or named pre-authorization unknown), consent_required, not_eligible,
   *   booking_not_covered, session_not_delivered, service_mismatch, authorization_required
   */
  useForClaim(
    input: {
      tenant: string;
      /** The client that submits the claim. */
      caller: Caller;
      claimId: string;
      eligibilityCheckId: string;
      preauthorizationId: string | null;
      session: SessionFacts;
      serviceCodes: readonly string[];
    },
    requestId: string,
  ): Promise<Use>;
  /** Releases the session and pre-authorization of a rejected, cancelled or reversed claim. Does nothing if they are released already. */
  releaseFromClaim(input: { tenant: string; claimId: string }, requestId: string): Promise<void>;
}

/** Steps in payments, the authority for a claim's money. Amounts in minor units. */
export interface PaymentsForClaims {
  /**
   * Opens the payer's liability of an adjudication, or replaces it before the first remittance.
   * @throws ApiError `invalid_state` if the claim has a remittance or is reversed
   */
  openLiability(
    input: {
      tenant: string;
      environment: Environment;
      claimId: string;
      adjudicationId: string;
      adjudicationVersion: number;
      currency: string;
      amount: { billed: number; payer: number; patient_responsibility: number; adjustment: number };
      decidedAt: string;
    },
    requestId: string,
  ): Promise<void>;
  /** Closes the claim's account to adjudications and remittances. @throws ApiError `invalid_state` if the ledger does not allow it */
  reverseLiability(input: { tenant: string; claimId: string }, requestId: string): Promise<void>;
}

/** The steps in benefits, with their summaries in the Temporal UI. */
export const benefits = localSteps<BenefitsForClaims>('10s', {
  useForClaim: 'Benefits: check the submission and use its pre-authorization',
  releaseFromClaim: 'Benefits: release what the claim used',
});

/** The steps in payments, with their summaries in the Temporal UI. */
export const payments = localSteps<PaymentsForClaims>('10s', {
  openLiability: "Payments: open the payer's liability",
  reverseLiability: "Payments: close the claim's account",
});
