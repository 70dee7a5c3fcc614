/** The rules by which an approval reserves one session of a benefit. Pure functions. */
import { ApiError } from '@carecover/domain';

/** Returns a benefit's remaining sessions: those that the payer stated less those reserved since the observation, at least 0. */
export function remainingSessions(stated: number, reserved: number): number {
  return Math.max(0, stated - reserved);
}

/** Checks that a session is left to reserve. @throws ApiError benefit_exhausted */
export function checkSessionLeft(remaining: number): void {
  if (remaining < 1) {
    throw new ApiError('benefit_exhausted', 'The coverage has no remaining session to reserve.');
  }
}
