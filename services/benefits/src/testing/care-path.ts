/** The way to a pre-authorization, step by step, for tests: a coverage, a check, a covered booking, a request. */
import type { CoverageBatchRecord, CoverageInput, Preauthorization } from '@carecover/contract';
import { newId } from '@carecover/platform';
import type { BookingFacts } from '@carecover/workflow-preauthorization';
import { DAY_MS } from './days';
import type { TestBenefits } from './test-benefits';

let references = 0;

/** A coverage observation as payers send it, observed a minute ago unless told otherwise. */
export function observation(nowMs: number, overrides: Partial<CoverageInput> = {}): CoverageInput {
  references += 1;
  return {
    source_contract_reference: 'contract/2027',
    external_coverage_reference: `policy-${references}`,
    source_version: '1',
    tenant_reference: 'group/nairobi',
    member_reference: `member:${references}`,
    service_code: 'psy.individual.50',
    plan_name: 'Outpatient Plus',
    status: 'active',
    currency: 'KES',
    amount_limit: 400_000,
    remaining_sessions: 5,
    authorization_required: true,
    coordination_priority: 1,
    valid_from: new Date(nowMs - 30 * DAY_MS).toISOString(),
    valid_until: new Date(nowMs + 365 * DAY_MS).toISOString(),
    observed_at: new Date(nowMs - 60_000).toISOString(),
    evidence_references: ['registry/extract-18'],
    ...overrides,
  };
}

/** The same statement as a record of a batch. */
export function recordOf({
  external_coverage_reference: coverage_reference,
  source_version: record_version,
  source_contract_reference: _contract,
  observed_at: _observed,
  evidence_references: _evidence,
  ...stated
}: CoverageInput): CoverageBatchRecord {
  return { ...stated, coverage_reference, record_version };
}

/** A covered booking on care's side. */
export function shelve(
  benefits: TestBenefits,
  startsAtMs: number,
  overrides: Partial<BookingFacts> = {},
): BookingFacts {
  const booking: BookingFacts = {
    bookingId: newId('bkg_'),
    sessionId: newId('ses_'),
    startsAt: new Date(startsAtMs).toISOString(),
    endsAt: new Date(startsAtMs + 50 * 60_000).toISOString(),
    status: 'reserved',
    paymentSource: 'covered',
    ...overrides,
  };
  benefits.bookings.set(booking.bookingId, booking);
  return booking;
}

export interface Opened {
  readonly preauthorization: Preauthorization;
  readonly booking: BookingFacts;
  readonly memberReference: string;
  readonly coverageId: string;
  readonly observationId: string;
}

export interface Wish {
  readonly sessionInMs?: number;
  readonly coverage?: Partial<CoverageInput>;
  readonly amount?: number;
}

/** Opens a pre-authorization of a member with this coverage, for a session so far ahead. */
export async function open(benefits: TestBenefits, wish: Wish = {}): Promise<Opened> {
  const now = await benefits.now();
  const input = observation(now, wish.coverage);
  const { body: covered } = await benefits.call('createCoverage', input);
  const startsAt = now + (wish.sessionInMs ?? 100 * DAY_MS);
  const { body: check } = await benefits.call('createEligibilityCheck', {
    member_reference: input.member_reference,
    service_code: input.service_code,
    scheduled_at: new Date(startsAt).toISOString(),
    amount: wish.amount ?? 350_000,
    currency: input.currency,
  });
  const booking = shelve(benefits, startsAt);
  const { body: preauthorization } = await benefits.call('createPreauthorization', {
    eligibility_check_id: check.id,
    booking_id: booking.bookingId,
  });
  return {
    preauthorization,
    booking,
    memberReference: input.member_reference,
    coverageId: covered.coverage_id,
    observationId: covered.id,
  };
}
