Object.defineProperty(exports, '__esModule', { value: true });
exports.World = exports.HOUR_MS = exports.REQUESTED = exports.LIMIT = exports.SERVICE = void 0;
const testing_1 = require('@carecover/local/testing');
exports.SERVICE = 'psy-session-50';
exports.LIMIT = 500_000;
exports.REQUESTED = 400_000;
exports.HOUR_MS = 3_600_000;
const DAY_MS = 24 * exports.HOUR_MS;
class World {
  client;
  receivers;
  bookable = null;
  constructor(
    client,
    /** A receiver that accepts everything, and one that refuses everything. */
    receivers,
  ) {
    this.client = client;
    this.receivers = receivers;
  }
  unique(prefix) {
    return `${prefix}-${crypto.randomUUID()}`;
  }
  inDays(days) {
    return new Date(Date.now() + days * DAY_MS).toISOString();
  }
  async coverage(member, change = {}) {
    const input = {
      source_contract_reference: 'contract:1',
      external_coverage_reference: this.unique('policy'),
      source_version: '1',
      tenant_reference: 'payer:one',
      member_reference: member,
      service_code: exports.SERVICE,
      plan_name: 'Plan',
      status: 'active',
      currency: 'KES',
      amount_limit: exports.LIMIT,
      remaining_sessions: 10,
      authorization_required: true,
      coordination_priority: 1,
      valid_from: this.inDays(-30),
      valid_until: this.inDays(365),
      observed_at: new Date(Date.now() - exports.HOUR_MS).toISOString(),
      evidence_references: ['registry:1'],
      ...change,
    };
    await this.client.coverages.record(input);
    return input;
  }
  /** Where and when somebody can be booked; never the same twice. */
  async slot() {
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
  async nextPractitioner() {
    const { data } = await this.client.practitioners.list({ limit: 100 });
    const practitioner = data[Math.floor(Math.random() * data.length)];
    if (practitioner === undefined) throw new Error('no practitioner');
    const availability = await this.client.practitioners.availability(practitioner.id);
    return {
      practitionerId: practitioner.id,
      slots: (0, testing_1.upcomingSlots)(availability, 50, Date.now() + DAY_MS),
    };
  }
  check(member, scheduledAt, change = {}) {
    return this.client.eligibilityChecks.create({
      member_reference: member,
      service_code: exports.SERVICE,
      scheduled_at: scheduledAt,
      amount: exports.REQUESTED,
      currency: 'KES',
      ...change,
    });
  }
  async covered(change = {}) {
    const member = this.unique('member');
    await this.coverage(member, change);
    return this.bookFor(member);
  }
  async bookFor(member, payment = 'covered') {
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
  async pending(change = {}) {
    const covered = await this.covered(change);
    return { ...covered, preauthorization: await this.request(covered) };
  }
  request({ check, bookingId }) {
    return this.client.preauthorizations.create({ eligibility_check_id: check.id, booking_id: bookingId });
  }
  approval(change = {}) {
    return {
      outcome: 'approved',
      approved_amount: exports.REQUESTED,
      valid_until: this.inDays(200),
      reason_codes: ['necessary'],
      policy_reference: 'policy:one',
      policy_version: '1',
      evidence_references: ['letter:1'],
      ...change,
    };
  }
  async approved(change = {}) {
    const pending = await this.pending(change);
    const preauthorization = await this.client.preauthorizations.decide(
      pending.preauthorization.id,
      this.approval(),
    );
    return { ...pending, preauthorization };
  }
  /** A delivered session with an approved pre-authorization: everything a claim needs. */
  async claimable() {
    const approved = await this.approved();
    await this.deliver(approved);
    return approved;
  }
  deliver({ sessionId }) {
    return this.client.testHelpers.deliverSession(sessionId);
  }
  claimInput({ check, sessionId }, change = {}) {
    return {
      eligibility_check_id: check.id,
      session_id: sessionId,
      provider_claim_reference: this.unique('INV'),
      lines: [
        { code_system: 'CPT', service_code: exports.SERVICE, units: 1, amount: 300_000 },
        { code_system: 'CPT', service_code: 'report', units: 0.5, amount: 100_000 },
      ],
      ...change,
    };
  }
  async submitted() {
    return this.client.claims.submit(this.claimInput(await this.claimable()));
  }
  async queried() {
    const { id } = await this.submitted();
    return this.client.claims.requestInformation(id, {
      reason_code: 'notes_missing',
      requested_evidence_types: ['notes'],
    });
  }
  /** Judges both lines of {@link claimInput}; the payer's shares are given. */
  adjudication(first = 250_000, second = 50_000) {
    const line = (line_number, billed, payer) => ({
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
  async decided() {
    const { id } = await this.submitted();
    return this.client.claims.adjudicate(id, this.adjudication());
  }
  remittanceInput(allocations) {
    return {
      payer_reference: this.unique('ADVICE'),
      currency: 'KES',
      received_at: new Date(Date.now() - exports.HOUR_MS).toISOString(),
      allocations,
    };
  }
  async remitted() {
    const { id } = await this.decided();
    return this.client.remittances.create(this.remittanceInput([{ claim_id: id, paid_amount: 300_000 }]));
  }
  settlementInput(remittanceId, amount = 300_000) {
    return {
      remittance_id: remittanceId,
      source_reference: this.unique('BANK'),
      currency: 'KES',
      amount,
      observed_at: new Date(Date.now() - exports.HOUR_MS).toISOString(),
    };
  }
  async settled() {
    const { id } = await this.remitted();
    return this.client.settlements.create(this.settlementInput(id));
  }
  endpoint(url = this.receivers.accepting) {
    return this.client.webhookEndpoints.create({
      url,
      events: ['claim.submitted', 'preauthorization.requested'],
    });
  }
  /** An event of the project, and an endpoint that was subscribed to it. */
  async told() {
    const endpoint = await this.endpoint();
    await this.pending();
    for (;;) {
      const { data } = await this.client.webhookEndpoints.deliveries(endpoint.id);
      const delivery = data.find((each) => each.status === 'delivered');
      if (delivery !== undefined) return { endpointId: endpoint.id, eventId: delivery.id };
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
exports.World = World;
