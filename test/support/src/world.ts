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
  Practitioner,
  Preauthorization,
  Remittance,
  Session,
  Settlement,
  WebhookEndpoint,
} from '@carecover/client';
import { eventually, type Slot, upcomingSlots } from '@carecover/local/testing';

export const SERVICE = 'psy-session-50';
export const LIMIT = 500_000;
export const REQUESTED = 400_000;
export const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

interface Bookable {
  readonly practitionerId: string;
  readonly slots: Iterator<Slot>;
}

/** A covered, reserved booking with an eligible check for its time. */
export interface Covered {
  readonly member: string;
  readonly check: EligibilityCheck;
  readonly bookingId: string;
  readonly sessionId: string;
  readonly startsAt: string;
}

export class World {
  private bookable: Bookable | null = null;
  private practitioners: AsyncIterator<Practitioner, undefined> | null = null;

  constructor(
    readonly client: Carecover,
    /** A receiver that accepts everything, and one that rejects everything. */
    readonly receivers: { readonly accepting: string; readonly rejecting: string },
    /** Moves the clock of every rule away from the real time, by milliseconds. */
    readonly moveClock: (offsetMs: number) => Promise<void>,
    /** Sets how many active webhook endpoints the project can have; without a number as many as any test needs. */
    readonly limitEndpoints: (limit?: number) => Promise<void>,
  ) {}

  unique(prefix: string): string {
    return `${prefix}-${crypto.randomUUID()}`;
  }

  inDays(days: number): string {
    return new Date(Date.now() + days * DAY_MS).toISOString();
  }

  async coverage(member: string, change: Partial<CoverageInput> = {}): Promise<CoverageInput> {
    const input: CoverageInput = {
      source_contract_reference: 'contract:1',
      external_coverage_reference: this.unique('policy'),
      source_version: '1',
      tenant_reference: 'payer:one',
      member_reference: member,
      service_code: SERVICE,
      plan_name: 'Plan',
      status: 'active',
      currency: 'KES',
      amount_limit: LIMIT,
      remaining_sessions: 10,
      authorization_required: true,
      coordination_priority: 1,
      valid_from: this.inDays(-30),
      valid_until: this.inDays(365),
      observed_at: new Date(Date.now() - HOUR_MS).toISOString(),
      evidence_references: ['registry:1'],
      ...change,
    };
    await this.client.coverages.record(input);
    return input;
  }

  /** Where and when somebody can be booked; never the same twice. */
  async slot(): Promise<Omit<BookingInput, 'payment_source'>> {
    for (;;) {
      this.bookable ??= await this.nextPractitioner();
      const { practitionerId, slots } = this.bookable;
      const { value, done } = slots.next();
      if (done === true) {
        this.bookable = null;
        continue;
      }
      return {
        practitioner_id: practitionerId,
        starts_at: value.startsAt,
        ends_at: value.endsAt,
        format: value.format,
      };
    }
  }

  /** Each practitioner once, so that no two of our bookings can overlap. */
  private async nextPractitioner(): Promise<Bookable> {
    this.practitioners ??= this.client.practitioners.list({ limit: 100 })[Symbol.asyncIterator]();
    const { value, done } = await this.practitioners.next();
    if (done === true) throw new Error('every practitioner is booked out');
    const availability = await this.client.practitioners.availability(value.id);
    return { practitionerId: value.id, slots: upcomingSlots(availability, 50, Date.now() + DAY_MS) };
  }

  check(member: string, scheduledAt: string, change: { amount?: number; service_code?: string } = {}) {
    return this.client.eligibilityChecks.create({
      member_reference: member,
      service_code: SERVICE,
      scheduled_at: scheduledAt,
      amount: REQUESTED,
      currency: 'KES',
      ...change,
    });
  }

  async covered(change: Partial<CoverageInput> = {}): Promise<Covered> {
    const member = this.unique('member');
    await this.coverage(member, change);
    return this.bookFor(member);
  }

  async bookFor(member: string, payment: BookingInput['payment_source'] = 'covered'): Promise<Covered> {
    const slot = await this.slot();
    const booking = await this.client.bookings.create({ ...slot, payment_source: payment });
    const check = await this.check(member, booking.starts_at);
    return {
      member,
      check,
      bookingId: booking.id,
      sessionId: booking.session_id,
      startsAt: booking.starts_at,
    };
  }

  async pending(
    change: Partial<CoverageInput> = {},
  ): Promise<Covered & { readonly preauthorization: Preauthorization }> {
    const covered = await this.covered(change);
    return { ...covered, preauthorization: await this.request(covered) };
  }

  request({ check, bookingId }: Covered): Promise<Preauthorization> {
    return this.client.preauthorizations.create({ eligibility_check_id: check.id, booking_id: bookingId });
  }

  approval(change: { approved_amount?: number; valid_until?: string } = {}) {
    return {
      outcome: 'approved' as const,
      approved_amount: REQUESTED,
      valid_until: this.inDays(200),
      reason_codes: ['necessary'],
      policy_reference: 'policy:one',
      policy_version: '1',
      evidence_references: ['letter:1'],
      ...change,
    };
  }

  async approved(
    change: Partial<CoverageInput> = {},
  ): Promise<Covered & { readonly preauthorization: Preauthorization }> {
    const pending = await this.pending(change);
    const preauthorization = await this.client.preauthorizations.decide(
      pending.preauthorization.id,
      this.approval(),
    );
    return { ...pending, preauthorization };
  }

  /** A delivered session with an approved pre-authorization: everything a claim needs. */
  async claimable(): Promise<Covered & { readonly preauthorization: Preauthorization }> {
    const approved = await this.approved();
    await this.deliver(approved);
    return approved;
  }

  deliver({ sessionId }: Covered): Promise<Session> {
    return this.client.testHelpers.deliverSession(sessionId);
  }

  claimInput({ check, sessionId }: Covered, change: Partial<ClaimInput> = {}): ClaimInput {
    return {
      eligibility_check_id: check.id,
      session_id: sessionId,
      provider_claim_reference: this.unique('INV'),
      lines: [
        { code_system: 'CPT', service_code: SERVICE, units: 1, amount: 300_000 },
        { code_system: 'CPT', service_code: 'report', units: 0.5, amount: 100_000 },
      ],
      ...change,
    };
  }

  async submitted(): Promise<Claim> {
    return this.client.claims.submit(this.claimInput(await this.claimable()));
  }

  async queried(): Promise<Claim> {
    const { id } = await this.submitted();
    return this.client.claims.requestInformation(id, {
      reason_code: 'notes_missing',
      requested_evidence_types: ['notes'],
    });
  }

  /** Judges both lines of {@link claimInput}; the payer's shares are given. */
  adjudication(first = 250_000, second = 50_000): AdjudicationInput {
    const line = (line_number: number, billed: number, payer: number) => ({
      line_number,
      amount: { billed, allowed: payer, payer, patient_responsibility: 0, adjustment: billed - payer },
      reason_codes: ['fee_schedule'],
    });
    return {
      policy_reference: 'policy:one',
      policy_version: '1',
      reason_codes: ['fee_schedule'],
      lines: [line(1, 300_000, first), line(2, 100_000, second)],
    };
  }

  /** A claim of which the payer owes 300,000 (KES, minor units). */
  async decided(): Promise<Claim> {
    const { id } = await this.submitted();
    return this.client.claims.adjudicate(id, this.adjudication());
  }

  remittanceInput(allocations: { claim_id: string; paid_amount: number }[]) {
    return {
      payer_reference: this.unique('ADVICE'),
      currency: 'KES' as const,
      received_at: new Date(Date.now() - HOUR_MS).toISOString(),
      allocations,
    };
  }

  async remitted(): Promise<Remittance> {
    const { id } = await this.decided();
    return this.client.remittances.create(this.remittanceInput([{ claim_id: id, paid_amount: 300_000 }]));
  }

  settlementInput(remittanceId: string, amount = 300_000) {
    return {
      remittance_id: remittanceId,
      source_reference: this.unique('BANK'),
      currency: 'KES' as const,
      amount,
      observed_at: new Date(Date.now() - HOUR_MS).toISOString(),
    };
  }

  async settled(): Promise<Settlement> {
    const { id } = await this.remitted();
    return this.client.settlements.create(this.settlementInput(id));
  }

  endpoint(url = this.receivers.accepting): Promise<WebhookEndpoint> {
    return this.client.webhookEndpoints.create({
      url,
      events: ['claim.submitted', 'preauthorization.requested'],
    });
  }

  /** An event of the project, and an endpoint that was subscribed to it. */
  async told(): Promise<{ readonly endpointId: string; readonly eventId: string }> {
    const endpoint = await this.endpoint();
    await this.pending();
    const { id: eventId } = await eventually('the event is delivered', async () => {
      const { data } = await this.client.webhookEndpoints.deliveries(endpoint.id);
      return data.find((each) => each.status === 'delivered');
    });
    return { endpointId: endpoint.id, eventId };
  }
}
