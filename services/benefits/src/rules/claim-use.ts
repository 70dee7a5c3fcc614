/** The rules for a claim that relies on an eligibility check and uses a pre-authorization. Pure functions. */
import { ApiError } from '@carecover/domain';
import type { SessionSnapshot } from '@carecover/workflow-claim';
import { isDue, type PreauthorizationState } from './preauthorization-expiry';

export interface ClaimedCheck {
  readonly status: 'eligible' | 'ineligible';
  readonly scheduledAt: Date;
  readonly serviceCode: string;
}

/**
 * Checks the session and the service codes of a claim's lines against the claim's eligibility check.
 *
 * @throws ApiError not_eligible, service_mismatch (time), booking_not_covered, session_not_delivered, service_mismatch (no line has the
 *   check's service), in this order
 */
export function checkClaim(
  check: ClaimedCheck,
  session: Pick<SessionSnapshot, 'startsAt' | 'status' | 'paymentSource'>,
  serviceCodes: readonly string[],
): void {
  if (check.status !== 'eligible') {
    throw new ApiError('not_eligible', '/eligibility_check_id must name a check with the status eligible.');
  }
  if (check.scheduledAt.getTime() !== Date.parse(session.startsAt)) {
    throw new ApiError(
      'service_mismatch',
      '/eligibility_check_id must name a check for the time of the session.',
    );
  }
  if (session.paymentSource !== 'covered') {
    throw new ApiError('booking_not_covered', '/session_id must name a session of a covered booking.');
  }
  if (session.status !== 'delivered') {
    throw new ApiError('session_not_delivered', '/session_id must name a session that has been delivered.');
  }
  if (!serviceCodes.includes(check.serviceCode)) {
    throw new ApiError(
      'service_mismatch',
      "/lines must have a line with the eligibility check's service_code.",
    );
  }
}

/** A pre-authorization with the resources for which it was requested. */
export interface RequestedPreauthorization {
  readonly state: PreauthorizationState;
  readonly eligibilityCheckId: string;
  readonly bookingId: string;
}

/**
 * Returns whether a claim can use a pre-authorization: it is approved and not past its deadline, has the claim's eligibility check and
 * booking, and is not used by another claim.
 */
export function canUse(
  { state, ...requested }: RequestedPreauthorization,
  claim: { readonly id: string; readonly eligibilityCheckId: string; readonly bookingId: string },
  now: Date,
): boolean {
  if (requested.eligibilityCheckId !== claim.eligibilityCheckId || requested.bookingId !== claim.bookingId)
    return false;
  if (state.status !== 'approved' || isDue(state, now)) return false;
  return state.usedByClaimId === null || state.usedByClaimId === claim.id;
}
