/** The rules for the reservation of one session of a benefit by an approval. Pure. */
import { ApiError } from '@carecover/platform';

/** Returns the remaining sessions: the payer's number less the reservations since its observation, at least 0. */
export function remainingSessions(stated: number, reserved: number): number {
  return Math.max(0, stated - reserved);
}

/** Checks that a session is left to reserve. @throws ApiError benefit_exhausted */
export function checkSessionLeft(remaining: number): void {
  if (remaining < 1) {
    throw new ApiError('benefit_exhausted', 'The coverage has no remaining session to reserve.');
  }
}
