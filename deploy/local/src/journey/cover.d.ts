import {
  type Booking,
  type Carecover,
  type EligibilityCheck,
  type Preauthorization,
} from '@carecover/client';
import { type Narrator } from './narrator';
/** The member of the payer's file who has one clear primary coverage, and what is asked for. */
export declare const MEMBER = 'RM-000001';
export declare const SERVICE = 'psy-session-50';
export declare const CURRENCY = 'KES';
export declare const REQUESTED = 450000;
export declare function postCoverageBatch(client: Carecover, narrator: Narrator): Promise<void>;
/** Checks eligibility for when a session would be. */
export declare function checkEligibility(client: Carecover, scheduledAt: string): Promise<EligibilityCheck>;
export interface Booked {
  readonly check: EligibilityCheck;
  readonly booking: Booking;
}
/** Finds a free slot, checks eligibility for it and books it as covered. */
export declare function bookCoveredSession(client: Carecover, narrator: Narrator): Promise<Booked>;
/** Opens a pre-authorization for a booked session and has the payer approve it until `validUntil`. */
export declare function preauthorize(
  client: Carecover,
  narrator: Narrator,
  { check, booking }: Booked,
  validUntil: () => Date,
): Promise<Preauthorization>;
/** Sees that one session of the benefit is reserved and the booking confirmed. */
export declare function seeReservation(
  client: Carecover,
  narrator: Narrator,
  { check, booking }: Booked,
): Promise<void>;
