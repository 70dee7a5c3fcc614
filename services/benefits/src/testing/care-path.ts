/** Helpers by which tests create a pre-authorization and what it needs: a coverage, an eligibility check and a covered booking. */
import type {
  CoverageBatchRecord,
  CoverageInput,
  EligibilityCheck,
  EligibilityCheckInput,
  Preauthorization,
} from '@carecover/contract';
import { newId } from '@carecover/domain';
import type { BookingSnapshot } from '@carecover/workflow-preauthorization';
import { DAY_MS } from './days';
import { newCaller, TestBenefits } from './test-benefits';

/**
 * Registers Jest hooks for a suite without Temporal, with one benefits service. Each test has its own
 * project and starts with a database clock that shows the real time. The returned service is available after the hooks have run.
 */
export function useBenefits(): { readonly benefits: TestBenefits } {
  let benefits: TestBenefits | undefined;
  beforeAll(async () => {
    benefits = await TestBenefits.open();
  });
  beforeEach(async () => {
    await benefits?.database.setClockOffset(0);
    if (benefits !== undefined) benefits.caller = newCaller();
  });
  afterAll(() => benefits?.close());
  return {
    get benefits() {
      if (benefits === undefined) throw new Error('the suite has not started');
      return benefits;
    },
  };
}

let references = 0;

/** Returns a coverage observation as payers send it, with an observed_at one minute ago by default. */
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

/** Converts a coverage observation to a record of a coverage batch. */
export function recordOf({
  external_coverage_reference: coverage_reference,
  source_version: record_version,
  source_contract_reference: _contract,
  observed_at: _observed,
  evidence_references: _evidence,
  ...fields
}: CoverageInput): CoverageBatchRecord {
  return { ...fields, coverage_reference, record_version };
}

/** Creates an eligibility check for a member's session at the given time. */
export async function check(
  benefits: TestBenefits,
  memberReference: string,
  startsAtMs: number,
  overrides: Partial<EligibilityCheckInput> = {},
): Promise<EligibilityCheck> {
  const { body } = await benefits.call('createEligibilityCheck', {
    member_reference: memberReference,
    service_code: 'psy.individual.50',
    scheduled_at: new Date(startsAtMs).toISOString(),
    amount: 350_000,
    currency: 'KES',
    ...overrides,
  });
  return body;
}

/** Adds a covered booking to the bookings that replace care. */
export function addBooking(
  benefits: TestBenefits,
  startsAtMs: number,
  overrides: Partial<BookingSnapshot> = {},
): BookingSnapshot {
  const booking: BookingSnapshot = {
    bookingId: newId('bkg_'),
    sessionId: newId('ses_'),
    startsAt: new Date(startsAtMs).toISOString(),
    endsAt: new Date(startsAtMs + 50 * 60_000).toISOString(),
    status: 'reserved',
    paymentSource: 'covered',
    isRecorded: false,
    ...overrides,
  };
  benefits.bookings.set(booking.bookingId, booking);
  return booking;
}

export interface Opened {
  readonly preauthorization: Preauthorization;
  readonly booking: BookingSnapshot;
  readonly memberReference: string;
  readonly coverageId: string;
  readonly observationId: string;
}

export interface OpenOptions {
  readonly sessionInMs?: number;
  readonly coverage?: Partial<CoverageInput>;
  readonly amount?: number;
}

/** Creates a pre-authorization with its coverage, eligibility check and booking. */
export async function open(benefits: TestBenefits, options: OpenOptions = {}): Promise<Opened> {
  const now = await benefits.now();
  const input = observation(now, options.coverage);
  const { body: covered } = await benefits.call('createCoverage', input);
  const startsAt = now + (options.sessionInMs ?? 100 * DAY_MS);
  const { service_code, currency } = input;
  const benefit = {
    service_code,
    currency,
    ...(options.amount === undefined ? {} : { amount: options.amount }),
  };
  const { id: eligibility_check_id } = await check(benefits, input.member_reference, startsAt, benefit);
  const booking = addBooking(benefits, startsAt);
  const { body: preauthorization } = await benefits.call('createPreauthorization', {
    eligibility_check_id,
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
