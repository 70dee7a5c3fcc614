/** The rule for a member's consent to the sharing of data. Pure functions. */
import type { ConsentStatus } from '@carecover/contract';
import { ApiError, type Caller } from '@carecover/domain';

/**
 * Checks that a member consents, by the member's latest statement of consent. If there is none (null), the project's default applies.
 *
 * @throws ApiError consent_required if consent is withdrawn
 */
export function checkConsent(stated: ConsentStatus | null, { consentDefault }: Caller): void {
  if ((stated ?? consentDefault) === 'withdrawn') {
    throw new ApiError('consent_required', 'The member has not consented to this sharing of data.');
  }
}
