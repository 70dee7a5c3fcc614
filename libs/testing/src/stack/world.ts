/**
 * Creates test data through the API: members, bookings, and claims in any state. Every call creates new resources, so that concurrent tests
 * don't affect each other.
 */
import type {
  AdjudicationInput,
  BookingId,
  BookingInput,
  Carecover,
  Claim,
  ClaimId,
  ClaimInput,
  CoverageInput,
  EligibilityCheck,
  EventId,
  PaymentAdvice,
  PaymentAdviceInput,
  Practitioner,
  Preauthorization,
  Remittance,
  RemittanceId,
  Session,
  SessionId,
  Settlement,
  Slot,
  WebhookEndpoint,
  WebhookEndpointId,
} from '@carecover/client';
import { eventually } from '../servers';

export const SERVICE = 'psy-session-50';
export const LIMIT = 500_000;
export const REQUESTED = 400_000;
export const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A booking of a session for a member with a coverage, and the eligibility check of this session. */
export interface Covered {
  readonly member: string;
  readonly check: EligibilityCheck;
  readonly bookingId: BookingId;
  readonly sessionId: SessionId;
  readonly startsAt: string;
}

/** Creates the test data of a suite, and changes its stack, for example by moving the clock. */
export class World {
  private slots: Slot[] = [];
  private practitioners: AsyncIterator<Practitioner, undefined> | null = null;

  constructor(
    readonly client: Carecover,
    /** URLs of a receiver that accepts every delivery and of one that rejects every delivery. */
    readonly receivers: { readonly accepting: string; readonly rejecting: string },
    /** Sets how many milliseconds the clock that all rules use is ahead of the real time; a negative number sets the clock behind. */
    readonly moveClock: (offsetMs: number) => Promise<void>,
    /** Sets the maximum number of active webhook endpoints of the project. By default, it is higher than any test needs. */
    readonly limitEndpoints: (limit?: number) => Promise<void>,
  ) {}

  uniqueReference(prefix: string): string {
    return `${prefix}-${crypto.randomUUID()}`;
  }

  daysFromNow(days: number): string {
    return new Date(Date.now() + days * DAY_MS).toISOString();
  }

  coverageInput(member: string, change: Partial<CoverageInput> = {}): CoverageInput {
    return {
      source_contract_reference: 'contract:1',
      external_coverage_reference: this.uniqueReference('policy'),
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
      valid_from: this.daysFromNow(-30),
      valid_until: this.daysFromNow(365),
      observed_at: new Date(Date.now() - HOUR_MS).toISOString(),
      evidence_references: ['registry:1'],
      ...change,
    };
  }

  async recordCoverage(member: string, change: Partial<CoverageInput> = {}): Promise<CoverageInput> {
    const input = this.coverageInput(member, change);
    await this.client.coverages.record(input);
    return input;
  }

  /** Returns a bookable slot that no earlier call returned. */
  async nextSlot(): Promise<Omit<BookingInput, 'payment_source'>> {
    for (;;) {
      const slot = this.slots.shift();
      if (slot !== undefined) {
        const { practitioner_id, starts_at, ends_at, format } = slot;
        return { practitioner_id, starts_at, ends_at, format };
      }
      this.slots = await this.slotsOfNextPractitioner();
    }
  }

  /** Returns the free slots of a practitioner whose slots no earlier call returned. */
  private async slotsOfNextPractitioner(): Promise<Slot[]> {
    this.practitioners ??= this.client.practitioners.list({ limit: 100 })[Symbol.asyncIterator]();
    const { value, done } = await this.practitioners.next();
    if (done === true) throw new Error('no practitioner is left whose slots are unused');
    const { data } = await this.client.practitioners.slots(value.id, {
      from: this.daysFromNow(1),
      to: this.daysFromNow(31),
      duration_minutes: 50,
      format: 'online',
      limit: 100,
    });
    return data;
  }

  /** Returns the times of a session of 50 minutes that started a number of days ago. */
  pastTimes(days = 5): { starts_at: string; ends_at: string } {
    const starts_at = this.daysFromNow(-days);
    return { starts_at, ends_at: new Date(Date.parse(starts_at) + 50 * 60_000).toISOString() };
  }

  createCheck(
    member: string,
    scheduledAt: string,
    change: { amount?: number; service_code?: string; retrospective?: boolean } = {},
  ) {
    return this.client.eligibilityChecks.create({
      member_reference: member,
      service_code: SERVICE,
      scheduled_at: scheduledAt,
      amount: REQUESTED,
      currency: 'KES',
      ...change,
    });
  }

  async createCoveredBooking(change: Partial<CoverageInput> = {}): Promise<Covered> {
    const member = this.uniqueReference('member');
    await this.recordCoverage(member, change);
    return this.createBooking(member);
  }

  async createBooking(member: string, payment: BookingInput['payment_source'] = 'covered'): Promise<Covered> {
    const slot = await this.nextSlot();
    const booking = await this.client.bookings.create({ ...slot, payment_source: payment });
    const check = await this.createCheck(member, booking.starts_at);
    return {
      member,
      check,
      bookingId: booking.id,
      sessionId: booking.session_id,
      startsAt: booking.starts_at,
    };
  }

  async createPendingPreauthorization(
    change: Partial<CoverageInput> = {},
  ): Promise<Covered & { readonly preauthorization: Preauthorization }> {
    const covered = await this.createCoveredBooking(change);
    return { ...covered, preauthorization: await this.requestPreauthorization(covered) };
  }

  requestPreauthorization({ check, bookingId }: Covered): Promise<Preauthorization> {
    return this.client.preauthorizations.create({ eligibility_check_id: check.id, booking_id: bookingId });
  }

  approvalInput(change: { approved_amount?: number; valid_until?: string } = {}) {
    return {
      outcome: 'approved' as const,
      approved_amount: REQUESTED,
      valid_until: this.daysFromNow(200),
      reason_codes: ['necessary'],
      policy_reference: 'policy:one',
      policy_version: '1',
      evidence_references: ['letter:1'],
      ...change,
    };
  }

  async createApprovedPreauthorization(
    change: Partial<CoverageInput> = {},
  ): Promise<Covered & { readonly preauthorization: Preauthorization }> {
    const pending = await this.createPendingPreauthorization(change);
    const preauthorization = await this.client.preauthorizations.decide(
      pending.preauthorization.id,
      this.approvalInput(),
    );
    return { ...pending, preauthorization };
  }

  /** Creates a delivered session with an approved pre-authorization, which a claim requires. */
  async createClaimableSession(): Promise<Covered & { readonly preauthorization: Preauthorization }> {
    const approved = await this.createApprovedPreauthorization();
    await this.deliverSession(approved);
    return approved;
  }

  deliverSession({ sessionId }: Covered): Promise<Session> {
    return this.client.testHelpers.deliverSession(sessionId);
  }

  claimInput({ check, sessionId }: Covered, change: Partial<ClaimInput> = {}): ClaimInput {
    return {
      eligibility_check_id: check.id,
      session_id: sessionId,
      provider_claim_reference: this.uniqueReference('INV'),
      lines: [
        { code_system: 'CPT', service_code: SERVICE, units: 1, amount: 300_000 },
        { code_system: 'CPT', service_code: 'report', units: 0.5, amount: 100_000 },
      ],
      ...change,
    };
  }

  async createSubmittedClaim(): Promise<Claim> {
    return this.client.claims.submit(this.claimInput(await this.createClaimableSession()));
  }

  async createQueriedClaim(): Promise<Claim> {
    const { id } = await this.createSubmittedClaim();
    return this.client.claims.requestInformation(id, {
      reason_code: 'notes_missing',
      requested_evidence_types: ['notes'],
    });
  }

  /** Creates the body of an adjudication of both lines of {@link claimInput}. `first` and `second` are the payer's amounts in minor units. */
  adjudicationInput(first = 250_000, second = 50_000): AdjudicationInput {
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

  /** Creates a claim for which the payer pays 300,000 (KES, minor units). */
  async createAdjudicatedClaim(): Promise<Claim> {
    const { id } = await this.createSubmittedClaim();
    return this.client.claims.adjudicate(id, this.adjudicationInput());
  }

  remittanceInput(allocations: { claim_id: ClaimId; paid_amount: number }[]) {
    return {
      payer_reference: this.uniqueReference('ADVICE'),
      currency: 'KES' as const,
      received_at: new Date(Date.now() - HOUR_MS).toISOString(),
      allocations,
    };
  }

  async createRemittance(): Promise<Remittance> {
    const { id } = await this.createAdjudicatedClaim();
    return this.client.remittances.create(this.remittanceInput([{ claim_id: id, paid_amount: 300_000 }]));
  }

  /** Creates the body of an advice that pays 300,000 for a new claim, and takes back 20,000 of another one. */
  async paymentAdviceInput(): Promise<PaymentAdviceInput> {
    const { allocations } = await this.createRemittance();
    const { id } = await this.createAdjudicatedClaim();
    return {
      ...this.remittanceInput([{ claim_id: id, paid_amount: 300_000 }]),
      recoveries: allocations.map(({ claim_id }) => ({ claim_id, amount: 20_000 })),
      net: 280_000,
    };
  }

  async createPaymentAdvice(changes: Partial<PaymentAdviceInput> = {}): Promise<PaymentAdvice> {
    return this.client.paymentAdvices.create({ ...(await this.paymentAdviceInput()), ...changes });
  }

  settlementInput(remittanceId: RemittanceId, amount = 300_000) {
    return {
      remittance_id: remittanceId,
      source_reference: this.uniqueReference('BANK'),
      currency: 'KES' as const,
      amount,
      observed_at: new Date(Date.now() - HOUR_MS).toISOString(),
    };
  }

  async createSettlement(): Promise<Settlement> {
    const { id } = await this.createRemittance();
    return this.client.settlements.create(this.settlementInput(id));
  }

  createEndpoint(url = this.receivers.accepting): Promise<WebhookEndpoint> {
    return this.client.webhookEndpoints.create({
      url,
      events: ['claim.submitted', 'preauthorization.requested'],
    });
  }

  /** Creates an endpoint and an event that was delivered to it. */
  async createDeliveredEvent(): Promise<{
    readonly endpointId: WebhookEndpointId;
    readonly eventId: EventId;
  }> {
    const endpoint = await this.createEndpoint();
    await this.createPendingPreauthorization();
    const { id: eventId } = await eventually('the event is delivered', async () => {
      const { data } = await this.client.webhookEndpoints.deliveries(endpoint.id);
      return data.find((each) => each.status === 'delivered');
    });
    return { endpointId: endpoint.id, eventId };
  }
}
