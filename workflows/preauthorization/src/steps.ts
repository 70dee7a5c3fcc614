/**
 * The pre-authorization's own steps: each one transaction of the benefits service, run as local activities. Each may be repeated
 * after a crash with the same input and then does nothing new. An ApiError carries a code of the contract; a step that rejects has dropped
 * the command. Times in ISO 8601 UTC.
 */
import type { Environment, PreauthorizationStatus } from '@carecover/contract';

/** How a pre-authorization stands after a step. */
export interface PreauthorizationReport {
  readonly status: PreauthorizationStatus;
  /** When it expires if nothing happens; null where nothing can make it expire as it stands. */
  readonly deadline: string | null;
  /** The same as milliseconds from now by the clock of the rules, 0 where it has passed; null with the deadline. */
  readonly dueInMs: number | null;
  readonly usedByClaimId: string | null;
}

/** Which pre-authorization. */
export interface PreauthorizationIdentity {
  readonly resourceId: string;
  readonly tenant: string;
  readonly environment: Environment;
}

/** One step of a command; the command's row says what was asked. */
export interface CommandStep extends PreauthorizationIdentity {
  readonly commandId: string;
}

export interface PreauthorizationSteps {
  /** Lets it expire where its deadline has passed, and tells how it stands; null where the facts know none such. */
  review(which: PreauthorizationIdentity): Promise<PreauthorizationReport | null>;
  /**
   * Checks a decision; for an approval it also reserves a session of the benefit.
   *
   * @returns the booking to confirm; null where there is none to confirm (a denial, or a decision that is recorded already)
   * @throws ApiError invalid_state, amount_exceeds_request, valid_until_in_past, benefit_exhausted
   */
  beginDecision(step: CommandStep): Promise<{ readonly bookingId: string } | null>;
  /**
   * Records the decision with its answer and event. A rejection leaves the command pending until {@link abandonDecision}, so that a
   * run that is lost in between repeats the decision and its compensations.
   *
   * @throws ApiError invalid_state where it was ended meanwhile, valid_until_in_past where that passed meanwhile, benefit_exhausted
   */
  commitDecision(step: CommandStep): Promise<PreauthorizationReport>;
  /**
   * Releases what {@link beginDecision} reserved and deletes the command, because a later step rejected it. A run that repeats the
   * decision after its confirmation was withdrawn has `invalid_state` from care, whatever the first rejection was, so the one that only
   * the commit makes is made here again.
   *
   * @throws ApiError valid_until_in_past where that has passed; CommandGone where the command is deleted already
   */
  abandonDecision(step: CommandStep): Promise<void>;
  /** @throws ApiError invalid_state */
  cancel(step: CommandStep): Promise<PreauthorizationReport>;
  /** As {@link cancel}, because its booking was cancelled: finds nothing to do where it is over. */
  cancelForBooking(step: CommandStep): Promise<PreauthorizationReport>;
  /** Brings its deadline about, for the sandbox's test helper. @throws ApiError invalid_state */
  expireNow(step: CommandStep): Promise<PreauthorizationReport>;
}
