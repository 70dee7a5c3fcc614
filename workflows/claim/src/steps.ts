/**
 * The claim's own steps: each one transaction of the claims service, run as local activities. Each may be repeated after a crash
 * and then does nothing new: a command that was answered stays answered, one that was refused is gone.
 * An ApiError carries a code of the contract; a step that rejects has dropped the command.
 */
import type { ClaimStatus } from '@carecover/contract';
import type { BenefitsForClaims, PaymentsForClaims, SessionFacts } from './ports';

/** What the workflow keeps in mind of its claim: enough to wait, to end, and to tell an operator. */
export interface ClaimView {
  /** `none` before the claim is submitted, and where its submission was refused. */
  readonly status: ClaimStatus | 'none';
  /** When the open information request lapses, ISO 8601; null where none is open or it never does. */
  readonly dueAt: string | null;
  /** Whether benefits must still hear that a cancelled or reversed claim uses nothing any more. */
  readonly mustRelease: boolean;
  /** A command whose step in another service may have been taken by a run that is lost. */
  readonly unfinished: { readonly commandId: string; readonly update: 'adjudicate' | 'reverse' } | null;
  /** In words, for an operator. */
  readonly words: string;
}

/** What benefits needs to check a submission. */
export type Submission = Omit<Parameters<BenefitsForClaims['useForClaim']>[0], 'tenant' | 'claimId'>;

/** What an adjudication asks of payments. */
export type Liability = Parameters<PaymentsForClaims['openLiability']>[0];

/** Which claim. */
export interface ClaimIdentity {
  readonly tenant: string;
  readonly claimId: string;
}

/** One step of a command; the command's row says what was asked. */
export interface CommandStep extends ClaimIdentity {
  readonly commandId: string;
}

export interface ClaimSteps {
  /** Reads where the claim stands. */
  loadClaim(which: ClaimIdentity): Promise<ClaimView>;

  /**
   * Reads the command, and its session from care. Null where the command was answered before.
   * @throws ApiError resource_not_found where care does not know the session
   */
  prepareSubmission(step: CommandStep, requestId: string): Promise<Submission | null>;
  /** Creates the claim. @throws ApiError duplicate_claim_reference, session_already_claimed */
  commitSubmission(
    step: CommandStep & {
      readonly session: SessionFacts;
      readonly preauthorizationId: string | null;
      readonly currency: string;
    },
  ): Promise<ClaimView>;
  /**
   * Drops a submission that another service refused with `code`.
   * @throws ApiError duplicate_claim_reference, session_already_claimed where that explains the rejection better
   * @throws CommandGone where it is to begin again under another id: a lost run gave this one up, or it came too early
   */
  dropSubmission(step: CommandStep & { readonly code: string }): Promise<void>;

  /** @throws ApiError resource_not_found, invalid_state, validation_failed (due_at not in the future) */
  commitInformationRequest(step: CommandStep): Promise<ClaimView>;
  /** @throws ApiError resource_not_found, invalid_state */
  commitEvidence(step: CommandStep): Promise<ClaimView>;
  /** Reads where the claim stands; if its information request is due, cancels it and takes the claim back to submitted first. */
  lapseInformationRequest(which: ClaimIdentity): Promise<ClaimView>;

  /**
   * Evaluates, and records the command as the pending step. Null where the command was answered before.
   * @throws ApiError resource_not_found, invalid_state, adjudication_lines_mismatch, adjudication_unbalanced
   */
  prepareAdjudication(step: CommandStep): Promise<Liability | null>;
  /** Can't reject: payments holds the liability. */
  commitAdjudication(step: CommandStep & { readonly decidedAt: string }): Promise<ClaimView>;

  /** Records the command as the pending step. False where it was answered before. @throws ApiError resource_not_found, invalid_state */
  prepareReversal(step: CommandStep): Promise<boolean>;
  /** Can't reject: payments has closed the account. */
  commitReversal(step: CommandStep): Promise<ClaimView>;

  /** Drops a command that payments refused, and lets go of it. */
  dropPendingStep(step: CommandStep): Promise<void>;

  /** @throws ApiError resource_not_found, invalid_state */
  commitCancellation(step: CommandStep): Promise<ClaimView>;
  /** Notes that benefits has heard that the claim uses nothing any more. */
  recordReleased(which: ClaimIdentity): Promise<ClaimView>;
}
