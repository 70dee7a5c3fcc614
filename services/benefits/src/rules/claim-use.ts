/** Whether a session may be claimed on an eligibility check. Pure; the pre-authorization is evaluated separately. */
import { ApiError } from '@carecover/platform';
import type { SessionFacts } from '@carecover/workflow-claim';

export interface CheckClaimed {
  readonly status: 'eligible' | 'ineligible';
  readonly scheduledAt: Date;
  readonly serviceCode: string;
}

/** @throws ApiError not_eligible, service_mismatch, booking_not_covered, session_not_delivered, looked for in this order */
export function checkClaim(
  check: CheckClaimed,
  session: SessionFacts,
  serviceCodes: readonly string[],
): void {
  if (check.status !== 'eligible') {
    throw new ApiError('not_eligible', '/eligibility_check_id names a check that came out ineligible.');
  }
  if (check.scheduledAt.getTime() !== Date.parse(session.startsAt)) {
    throw new ApiError(
      'service_mismatch',
      '/eligibility_check_id names a check for another time than the session.',
    );
  }
  if (session.paymentSource !== 'covered') {
    throw new ApiError('booking_not_covered', '/session_id names a session that is paid by the person.');
  }
  if (session.status !== 'delivered') {
    throw new ApiError('session_not_delivered', '/session_id names a session that has not been delivered.');
  }
  if (!serviceCodes.includes(check.serviceCode)) {
    throw new ApiError('service_mismatch', "/lines has no line with the eligibility check's service_code.");
  }
}
