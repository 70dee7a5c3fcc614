/**
 * The steps of the claim's workflow, which are local activities of the claims service, and the calls of commands on claims to other
 * services. A step that is repeated has no second effect.
 */
import type {
  ClaimStatus,
  EligibilityCheckInput,
  Environment,
  ErrorCode,
  RemittanceInput,
  SessionInput,
  SettlementInput,
} from '@carecover/contract';
import type { Caller } from '@carecover/domain';
import { localSteps, type ResourceReport } from '@carecover/temporal/workflow';

/** What a claim awaits and shows, read from its facts. */
export interface ClaimReport extends ResourceReport {
  /** The claim's status; `none` if its submission has not created it. */
  readonly status: ClaimStatus | 'none';
  /** When the open information request lapses, ISO 8601; null if no request is open, or if the open request has no deadline. */
  readonly dueAt: string | null;
  /** Milliseconds until `dueAt` by the database's clock; null without a deadline. */
  readonly dueInMs: number | null;
  /** What the claim awaits, in words; null if it awaits nothing, so that its run can end. */
  readonly awaits: string | null;
}

/** Input of the call to payments that opens the payer's liability. */
export type Liability = Parameters<PaymentsForClaims['openLiability']>[0];

/** Why payments rejects a liability of a set. */
export interface RejectedLiability extends StepRejection {
  readonly claimId: string;
}

/** Identifies a claim. */
export interface ClaimIdentity {
  readonly tenant: string;
  readonly claimId: string;
}

export interface ClaimSteps {
  /**
   * Applies what is due, and reads the claim: an information request whose deadline has passed lapses, and the session and pre-authorization
   * of an ended claim are released in benefits.
   */
  reviewClaim(which: ClaimIdentity): Promise<ClaimReport>;
}

/** The steps, with their summaries in the Temporal UI. */
export const steps = localSteps<ClaimSteps>('10s', {
  reviewClaim: 'Apply what is due, and read the claim',
});

// Calls to other services. Each can be repeated with the same input without a second effect. Rejections have error codes of the API contract.
// The second argument of a call is the ID of the client's request.

/** A session's current state in care; times in ISO 8601 UTC. */
export interface SessionSnapshot {
  readonly sessionId: string;
  readonly bookingId: string;
  readonly practitionerId: string;
  readonly startsAt: string;
  readonly endsAt: string;
  readonly status: 'reserved' | 'confirmed' | 'in_progress' | 'delivered' | 'cancelled';
  readonly paymentSource: 'self_pay' | 'covered';
  /** The API key that recorded the session outside the calendar, and when; null if the session was booked in a slot. */
  readonly recorded: { readonly by: string; readonly at: string } | null;
}

/** Calls to care. */
export interface CareForClaims {
  /** Reads a session. @throws ApiError `resource_not_found` if care has no such session */
  sessionForClaim(input: { tenant: string; sessionId: string }, requestId: string): Promise<SessionSnapshot>;
  /** Reads sessions. One that care does not have is missing in the result. */
  sessionsForClaims(
    input: { tenant: string; sessionIds: readonly string[] },
    requestId: string,
  ): Promise<SessionSnapshot[]>;
  /**
   * Records the sessions of lines of bulk jobs, each once per key. Returns the outcomes in the order of the sessions; a rejection has the
   * code and the message of POST /sessions.
   */
  recordSessions(
    input: ForClient & { sessions: readonly { key: string; session: SessionInput }[] },
    requestId: string,
  ): Promise<({ sessionId: string } | StepRejection)[]>;
}

/** Writes in another service for a client. Each of them is executed once per key, which is used for one input. */
export interface ForClient {
  readonly tenant: string;
  /** The client for whom it is recorded. */
  readonly caller: Caller;
  /** Whether it is only decided, and nothing is written. */
  readonly isDryRun: boolean;
}

/** The API error with which a service rejects a part of a call. */
export interface StepRejection {
  readonly code: ErrorCode;
  readonly message: string;
}

/**
 * The pre-authorization that a claim uses, and the values of its coverage that the claim stores. `preauthorizationId` is null if the claim
 * needs no pre-authorization.
 */
export interface Use {
  readonly preauthorizationId: string | null;
  readonly currency: string;
  /**
   * The surrogate of the coverage's `source_contract_reference`, which is the payer's reference. The reference itself can name a person.
   */
  readonly payerId: string;
  /** Name of the coverage's plan. */
  readonly plan: string;
}

/** Calls to benefits. */
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
      session: SessionSnapshot;
      serviceCodes: readonly string[];
      /** Whether the submission is only decided, and nothing is written. By default false. */
      isDryRun?: boolean;
    },
    requestId: string,
  ): Promise<Use>;
  /**
   * Does the same as `useForClaim` for claims of one client. Returns the outcomes in the order of the claims; null for a claim that is
   * rejected, which is not marked.
   */
  useForClaims(
    input: {
      tenant: string;
      caller: Caller;
      claims: readonly {
        claimId: string;
        eligibilityCheckId: string;
        preauthorizationId: string | null;
        session: SessionSnapshot;
        serviceCodes: readonly string[];
      }[];
    },
    requestId: string,
  ): Promise<(Use | null)[]>;
  /**
   * Makes the retrospective eligibility checks of claims of care that happened elsewhere, each once per key, and checks whether the claims can be
   * submitted with them. The sessions are not recorded yet, so they have no pre-authorizations. Returns the outcomes in the order of the
   * checks. A rejection has pointers of the line of a bulk job, and one of the codes consent_required, not_eligible, booking_not_covered,
   * session_not_delivered, service_mismatch, authorization_required.
   */
  checkRecordedClaims(
    input: ForClient & {
      claims: readonly {
        key: string;
        check: EligibilityCheckInput;
        session: Pick<SessionInput, 'ends_at' | 'payment_source'>;
        serviceCodes: readonly string[];
      }[];
    },
    requestId: string,
  ): Promise<({ eligibilityCheckId: string } | StepRejection)[]>;
  /**
   * Makes the eligibility checks of lines of bulk jobs, each once per key. Returns the outcomes in the order of the checks; a rejection has the
   * code and the message of POST /eligibility_checks.
   */
  createEligibilityChecks(
    input: ForClient & { checks: readonly { key: string; check: EligibilityCheckInput }[] },
    requestId: string,
  ): Promise<({ eligibilityCheckId: string } | StepRejection)[]>;
  /** Releases the session and pre-authorization of a rejected, cancelled or reversed claim. Does nothing if they are released already. */
  releaseFromClaim(input: { tenant: string; claimId: string }, requestId: string): Promise<void>;
}

/** Calls to payments, the authority for a claim's money. Amounts in minor units. */
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
  /** Does the same as `openLiability` for different claims of a project. Returns the rejected liabilities; a rejected one does not affect the others. */
  openLiabilities(
    input: { tenant: string; liabilities: readonly Omit<Liability, 'tenant'>[] },
    requestId: string,
  ): Promise<RejectedLiability[]>;
  /**
   * Closes the claim's account, which then accepts no adjudications and remittances.
   * @throws ApiError `invalid_state` if the ledger does not allow it
   */
  reverseLiability(input: { tenant: string; claimId: string }, requestId: string): Promise<void>;
  /**
   * Creates the remittance of a line of a bulk job, once per key. Returns its ID; null in a dry run.
   * @throws the API errors of POST /remittances
   */
  createRemittance(
    input: ForClient & { key: string; remittance: RemittanceInput },
    requestId: string,
  ): Promise<{ remittanceId: string | null }>;
  /**
   * Creates the settlement of a line of a bulk job, once per key. Returns its ID, of a deposit with shares the ID of the first one; null in a
   * dry run.
   * @throws the API errors of POST /settlements
   */
  createSettlement(
    input: ForClient & { key: string; settlement: SettlementInput },
    requestId: string,
  ): Promise<{ settlementId: string | null }>;
}
