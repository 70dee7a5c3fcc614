/**
 * Makes, through the public API alone, whatever a provocation needs: a fresh member, booking, claim in any state. Everything
 * it makes is new, so provocations never meet.
 */
import type {
  AdjudicationInput,
  BookingInput,
  Carecover,
  Claim,
  ClaimInput,
  CoverageInput,
  EligibilityCheck,
  Preauthorization,
  Remittance,
  Session,
  Settlement,
  WebhookEndpointWithSecret,
} from '@carecover/client';
export declare const SERVICE = 'psy-session-50';
export declare const LIMIT = 500000;
export declare const REQUESTED = 400000;
export declare const HOUR_MS = 3600000;
/** A covered, reserved booking with an eligible check for its time. */
export interface Covered {
  readonly member: string;
  readonly check: EligibilityCheck;
  readonly bookingId: string;
  readonly sessionId: string;
  readonly startsAt: string;
}
export declare class World {
  readonly client: Carecover;
  /** A receiver that accepts everything, and one that refuses everything. */
  readonly receivers: {
    readonly accepting: string;
    readonly refusing: string;
  };
  private bookable;
  constructor(
    client: Carecover,
    /** A receiver that accepts everything, and one that refuses everything. */
    receivers: {
      readonly accepting: string;
      readonly refusing: string;
    },
  );
  unique(prefix: string): string;
  inDays(days: number): string;
  coverage(member: string, change?: Partial<CoverageInput>): Promise<CoverageInput>;
  /** Where and when somebody can be booked; never the same twice. */
  slot(): Promise<Omit<BookingInput, 'payment_source'>>;
  private nextPractitioner;
  check(
    member: string,
    scheduledAt: string,
    change?: {
      amount?: number;
      service_code?: string;
    },
  ): Promise<EligibilityCheck>;
  covered(change?: Partial<CoverageInput>): Promise<Covered>;
  bookFor(member: string, payment?: BookingInput['payment_source']): Promise<Covered>;
  pending(change?: Partial<CoverageInput>): Promise<
    Covered & {
      readonly preauthorization: Preauthorization;
    }
  >;
  request({ check, bookingId }: Covered): Promise<Preauthorization>;
  approval(change?: { approved_amount?: number; valid_until?: string }): {
    outcome: 'approved';
    approved_amount: number;
    valid_until: string;
    reason_codes: string[];
    policy_reference: string;
    policy_version: string;
    evidence_references: string[];
  };
  approved(change?: Partial<CoverageInput>): Promise<
    Covered & {
      readonly preauthorization: Preauthorization;
    }
  >;
  /** A delivered session with an approved pre-authorization: everything a claim needs. */
  claimable(): Promise<
    Covered & {
      readonly preauthorization: Preauthorization;
    }
  >;
  deliver({ sessionId }: Covered): Promise<Session>;
  claimInput({ check, sessionId }: Covered, change?: Partial<ClaimInput>): ClaimInput;
  submitted(): Promise<Claim>;
  queried(): Promise<Claim>;
  /** Judges both lines of {@link claimInput}; the payer's shares are given. */
  adjudication(first?: number, second?: number): AdjudicationInput;
  /** A claim of which the payer owes 300,000 (KES, minor units). */
  decided(): Promise<Claim>;
  remittanceInput(
    allocations: {
      claim_id: string;
      paid_amount: number;
    }[],
  ): {
    payer_reference: string;
    currency: 'KES';
    received_at: string;
    allocations: {
      claim_id: string;
      paid_amount: number;
    }[];
  };
  remitted(): Promise<Remittance>;
  settlementInput(
    remittanceId: string,
    amount?: number,
  ): {
    remittance_id: string;
    source_reference: string;
    currency: 'KES';
    amount: number;
    observed_at: string;
  };
  settled(): Promise<Settlement>;
  endpoint(url?: string): Promise<WebhookEndpointWithSecret>;
  /** An event of the project, and an endpoint that was subscribed to it. */
  told(): Promise<{
    readonly endpointId: string;
    readonly eventId: string;
  }>;
}
