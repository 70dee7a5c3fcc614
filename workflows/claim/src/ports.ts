/**
 * The steps of the claim's workflow in other services: HTTP calls from its local activities. Each may be repeated after a crash with the
 * same input and then does nothing new. Rejections carry the contract's codes. The second argument is the id of the request.
 */
import type { Environment } from '@carecover/contract';
import type { Caller } from '@carecover/platform';

/** A session as care knows it now; times in ISO 8601 UTC. */
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
  /** @throws ApiError `resource_not_found` */
  sessionForClaim(input: { tenant: string; sessionId: string }, requestId: string): Promise<SessionFacts>;
}

/** Steps in benefits. */
export interface BenefitsForClaims {
  /**
   * Evaluates a submission against the eligibility check, the consent and the pre-authorization, in the contract's order, and
   * marks the pre-authorization used by this claim. Evaluates the session's facts too (covered, delivered, at the check's time).
   * @throws ApiError resource_not_found (check or named pre-authorization unknown), consent_required, not_eligible,
   *   booking_not_covered, session_not_delivered, service_mismatch, authorization_required
   */
  useForClaim(
    input: {
      tenant: string;
      /** Who submits the claim. */
      caller: Caller;
      claimId: string;
      eligibilityCheckId: string;
      preauthorizationId: string | null;
      session: SessionFacts;
      serviceCodes: readonly string[];
    },
    requestId: string,
  ): Promise<{ preauthorizationId: string | null; currency: string }>;
  /** Gives back what the claim used (a refused, cancelled or reversed claim). Unknown or freed already: nothing. */
  releaseFromClaim(input: { tenant: string; claimId: string }, requestId: string): Promise<void>;
}

/** Steps in payments: the one arbiter of what may be done to a claim's money. Amounts in minor units. */
export interface PaymentsForClaims {
  /**
   * Opens (or, while nothing is remitted, replaces) the payer's liability of an adjudication.
   * @throws ApiError `invalid_state` where something is remitted or the claim is reversed
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
  /** Closes the claim's account to further adjudication and remittance. @throws ApiError `invalid_state` where that can't be */
  reverseLiability(input: { tenant: string; claimId: string }, requestId: string): Promise<void>;
}
