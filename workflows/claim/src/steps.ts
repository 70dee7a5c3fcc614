/**
 * Steps of the claim's workflow in the claims service: local activities of one transaction each. A step that is repeated after a crash has
 * no second effect: a stored response is not replaced, and a rejected command is already deleted. API errors have codes of the API
 * contract; a step that rejects a command has deleted the command row.
 */

import type { ClaimStatus, Environment } from '@carecover/contract';
import type { Caller } from '@carecover/platform';
import { localSteps } from '@carecover/platform/workflow';

/** The state of a claim after a step: the values that determine what its workflow waits for, and the text that the Temporal UI shows. */
export interface ClaimView {
  /** The claim's status; `none` before the claim is submitted, and if its submission was rejected. */
  readonly status: ClaimStatus | 'none';
  /** When the open information request lapses, ISO 8601; null if no request is open, or if the open request has no deadline. */
  readonly dueAt: string | null;
  /** Whether benefits must still release the session and pre-authorization of a cancelled or reversed claim. */
  readonly mustRelease: boolean;
  /**
   * A command without a response, which may already have been executed in another service by a run or an Update that was lost before it
   * could commit; null if there is none. While there is one, the steps of other commands change nothing.
   */
  readonly unfinished: { readonly commandId: string; readonly update: 'adjudicate' | 'reverse' } | null;
  /** The text that the Temporal UI shows to operators (the current details), in Markdown. */
  readonly words: string;
}

/** Input of the step in benefits that checks a submission, without the tenant and the claim's ID. */
export type Submission = Omit<Parameters<BenefitsForClaims['useForClaim']>[0], 'tenant' | 'claimId'>;

/** Input of the step in payments that opens the payer's liability. */
export type Liability = Parameters<PaymentsForClaims['openLiability']>[0];

/** Identifies a claim. */
export interface ClaimIdentity {
  readonly tenant: string;
  readonly claimId: string;
}

/** Identifies a command on a claim. The command row contains the request. */
export interface CommandStep extends ClaimIdentity {
  readonly commandId: string;
}

export interface ClaimSteps {
  /** Reads the claim's state. */
  loadClaim(which: ClaimIdentity): Promise<ClaimView>;

  /**
   * Reads the submission's command, and the claim's session from care. Returns null if the command already has a response.
   * @throws ApiError resource_not_found if care has no such session
   */
  prepareSubmission(step: CommandStep, requestId: string): Promise<Submission | null>;
  /**
   * Creates the claim.
   * @throws ApiError duplicate_claim_reference, session_already_claimed; CommandGone if another attempt abandoned the submission
   */
  commitSubmission(step: CommandStep & Use & { readonly session: SessionFacts }): Promise<ClaimView>;
  /**
   * Marks a rejected submission so that no other attempt of its command creates the claim: benefits can then release what it used. Returns
   * false if another attempt has created the claim already.
   */
  abandonSubmission(step: CommandStep): Promise<boolean>;
  /**
   * Deletes the command of a submission that was rejected with the error code `code`.
   * @throws ApiError duplicate_claim_reference or session_already_claimed if another claim is the reason why benefits rejected the
   *   submission
   * @throws CommandGone if the submission must start again under another claim ID: a lost run abandoned this claim ID, another attempt has
   *   deleted the command, or another claim of the session, which has ended, still used the pre-authorization when the command was accepted
   */
  dropSubmission(step: CommandStep & { readonly code: string }): Promise<void>;

  /**
   * Records an information request. @throws ApiError resource_not_found, invalid_state (the claim's status does not allow it),
   * validation_failed (due_at not in the future)
   */
  commitInformationRequest(step: CommandStep): Promise<ClaimView>;
  /** Records evidence for the claim. @throws ApiError resource_not_found, invalid_state if the claim's status does not allow evidence */
  commitEvidence(step: CommandStep): Promise<ClaimView>;
  /** Reads the claim's state. An information request whose deadline has passed lapses first: the claim's status is then `submitted`. */
  reviewClaim(which: ClaimIdentity): Promise<ClaimView>;

  /**
   * Checks the adjudication, stores it as the claim's pending step, and opens the payer's liability in payments. Returns the time of the
   * decision, ISO 8601; null if the command already has a response, or while another command has a pending step.
   * @throws ApiError resource_not_found; invalid_state if the claim's status or a remittance does not allow it;
   *   adjudication_lines_mismatch, adjudication_unbalanced
   */
  prepareAdjudication(step: CommandStep, requestId: string): Promise<{ readonly decidedAt: string } | null>;
  /** Records the adjudication. Never rejects, because payments has already opened the liability. */
  commitAdjudication(step: CommandStep & { readonly decidedAt: string }): Promise<ClaimView>;

  /**
   * Stores the reversal as the claim's pending step, and closes the claim's account in payments. Returns false if the command already has a
   * response, or while another command has a pending step.
   * @throws ApiError resource_not_found; invalid_state if the claim's status or its ledger does not allow a reversal
   */
  prepareReversal(step: CommandStep, requestId: string): Promise<boolean>;
  /** Records the reversal. Never rejects, because payments has already closed the claim's account. */
  commitReversal(step: CommandStep): Promise<ClaimView>;

  /** Cancels the claim. @throws ApiError resource_not_found, invalid_state if the claim's status does not allow a cancellation */
  commitCancellation(step: CommandStep): Promise<ClaimView>;
  /** Records that benefits has released the claim's session and pre-authorization. */
  recordReleased(which: ClaimIdentity): Promise<ClaimView>;
}

/** The steps, with their summaries in the Temporal UI. */
export const own = localSteps<ClaimSteps>('10s', {
  loadClaim: 'Read the claim',
  prepareSubmission: 'Read the submission, and its session in care',
  commitSubmission: 'Record the submission',
  abandonSubmission: 'Abandon the rejected submission',
  dropSubmission: 'Delete the rejected submission',
  commitInformationRequest: 'Record the information request',
  commitEvidence: 'Record the evidence',
  reviewClaim: 'Read the claim, and end an overdue information request',
  prepareAdjudication: "Check the adjudication, and open the payer's liability in payments",
  commitAdjudication: 'Record the adjudication',
  prepareReversal: "Check the reversal, and close the claim's account in payments",
  commitReversal: 'Record the reversal',
  commitCancellation: 'Record the cancellation',
  recordReleased: 'Record that benefits released everything',
});

// Steps of the claim's workflow in other services: HTTP calls from its local activities. Each step can be repeated after a crash with the
// same input without a second effect. Rejections have error codes of the API contract. The second argument of a step is the request ID of
// the HTTP call.

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
  /** Reads a session. @throws ApiError `resource_not_found` if care has no such session */
  sessionForClaim(input: { tenant: string; sessionId: string }, requestId: string): Promise<SessionFacts>;
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
  /**
   * Closes the claim's account, which then accepts no adjudications and remittances.
   * @throws ApiError `invalid_state` if the ledger does not allow it
   */
  reverseLiability(input: { tenant: string; claimId: string }, requestId: string): Promise<void>;
}

/** The steps in benefits, with their summaries in the Temporal UI. */
export const benefits = localSteps<BenefitsForClaims>('10s', {
  useForClaim: 'Benefits: check the submission and use its pre-authorization',
  releaseFromClaim: 'Benefits: release what the claim used',
});
