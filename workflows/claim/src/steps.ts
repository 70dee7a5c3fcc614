/**
 * Steps of the claim's workflow in the claims service: local activities of one transaction each. A step that is repeated after a crash has
 * no second effect: the response of a command stays, and a rejected command is already deleted. API errors have the contract's codes; a
 * step that rejects has deleted the command.
 */
import type { ClaimStatus } from '@carecover/contract';
import { localSteps } from '@carecover/platform/workflow';
import type { BenefitsForClaims, PaymentsForClaims, SessionFacts, Use } from './ports';

/** The workflow's view of its claim: what it waits for and what the Temporal UI shows. */
export interface ClaimView {
  /** The claim's status; `none` before the claim is submitted, and if its submission was rejected. */
  readonly status: ClaimStatus | 'none';
  /** When the open information request lapses, ISO 8601; null if none is open or it has no deadline. */
  readonly dueAt: string | null;
  /** Whether benefits must still release the session and pre-authorization of a cancelled or reversed claim. */
  readonly mustRelease: boolean;
  /** A command without a response, whose step in another service a lost run may have executed; null if there is none. */
  readonly unfinished: { readonly commandId: string; readonly update: 'adjudicate' | 'reverse' } | null;
  /** The current details, for operators (Markdown). */
  readonly words: string;
}

/** Input of the step in benefits that checks a submission, without the claim's identity. */
export type Submission = Omit<Parameters<BenefitsForClaims['useForClaim']>[0], 'tenant' | 'claimId'>;

/** Input of the step in payments that opens the payer's liability. */
export type Liability = Parameters<PaymentsForClaims['openLiability']>[0];

/** Identifies a claim. */
export interface ClaimIdentity {
  readonly tenant: string;
  readonly claimId: string;
}

/** Identifies a command; the command row has the request. */
export interface CommandStep extends ClaimIdentity {
  readonly commandId: string;
}

export interface ClaimSteps {
  /** Reads the claim's state. */
  loadClaim(which: ClaimIdentity): Promise<ClaimView>;

  /**
   * Reads the command, and its session from care. Null if the command already has a response.
   * @throws ApiError resource_not_found if care has no such session
   */
  prepareSubmission(step: CommandStep, requestId: string): Promise<Submission | null>;
  /** Creates the claim. @throws ApiError duplicate_claim_reference, session_already_claimed */
  commitSubmission(step: CommandStep & Use & { readonly session: SessionFacts }): Promise<ClaimView>;
  /**
   * Deletes a submission that another service rejected with `code`.
   * @throws ApiError duplicate_claim_reference or session_already_claimed if that is the reason why the other service rejected it
   * @throws CommandGone if the submission must start again under another claim ID: a lost run abandoned this claim ID, or the release
   *   of an ended claim is pending or just completed
   */
  dropSubmission(step: CommandStep & { readonly code: string }): Promise<void>;

  /** Records an information request. @throws ApiError resource_not_found, invalid_state, validation_failed (due_at not in the future) */
  commitInformationRequest(step: CommandStep): Promise<ClaimView>;
  /** Records evidence for the claim. @throws ApiError resource_not_found, invalid_state */
  commitEvidence(step: CommandStep): Promise<ClaimView>;
  /** Reads the claim's state. An information request whose deadline has passed lapses first: the claim's status is then `submitted`. */
  lapseInformationRequest(which: ClaimIdentity): Promise<ClaimView>;

  /**
   * Checks the adjudication and stores it as the pending step in payments. Null if the command already has a response.
   * @throws ApiError resource_not_found, invalid_state, adjudication_lines_mismatch, adjudication_unbalanced
   */
  prepareAdjudication(step: CommandStep): Promise<Liability | null>;
  /** Records the adjudication. Never rejects, because payments has already opened the liability. */
  commitAdjudication(step: CommandStep & { readonly decidedAt: string }): Promise<ClaimView>;

  /** Stores the reversal as the pending step. False if the command has a response. @throws ApiError resource_not_found, invalid_state */
  prepareReversal(step: CommandStep): Promise<boolean>;
  /** Records the reversal. Never rejects, because payments has already closed the account. */
  commitReversal(step: CommandStep): Promise<ClaimView>;

  /** Deletes a command that payments rejected, and clears the pending step. */
  dropPendingStep(step: CommandStep): Promise<void>;

  /** Cancels the claim. @throws ApiError resource_not_found, invalid_state */
  commitCancellation(step: CommandStep): Promise<ClaimView>;
  /** Records that benefits has released the claim's session and pre-authorization. */
  recordReleased(which: ClaimIdentity): Promise<ClaimView>;
}

/** The steps, with their summaries in the Temporal UI. */
export const own = localSteps<ClaimSteps>('10s', {
  loadClaim: 'Read the claim',
  prepareSubmission: 'Read the submission, and its session in care',
  commitSubmission: 'Record the submission',
  dropSubmission: 'Delete the rejected submission',
  commitInformationRequest: 'Record the information request',
  commitEvidence: 'Record the evidence',
  lapseInformationRequest: 'Read the claim, and end an overdue information request',
  prepareAdjudication: 'Check the adjudication',
  commitAdjudication: 'Record the adjudication',
  prepareReversal: 'Check the reversal',
  commitReversal: 'Record the reversal',
  dropPendingStep: 'Delete the command that payments rejected',
  commitCancellation: 'Record the cancellation',
  recordReleased: 'Record that benefits released everything',
});
