/** Examples of a pre-authorization's states, for tests of rules. */
import type { PreauthorizationState } from '../rules/preauthorization-expiry';

export const decideBy = new Date('2027-03-01T00:00:00Z');
export const validUntil = new Date('2027-05-01T00:00:00Z');
export const before = (instant: Date) => new Date(instant.getTime() - 1);

export const pending: PreauthorizationState = {
  status: 'pending',
  decideBy,
  isBeingApproved: false,
  validUntil: null,
  usedByClaimId: null,
  requestedAmount: 350_000,
};
export const approved: PreauthorizationState = { ...pending, status: 'approved', validUntil };
export const used: PreauthorizationState = { ...approved, usedByClaimId: 'clm_1' };
export const ended = (['denied', 'expired', 'cancelled'] as const).map(
  (status): PreauthorizationState => ({ ...pending, status }),
);
