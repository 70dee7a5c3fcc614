/** The way to a pre-authorization, step by step, for tests: a coverage, a check, a covered booking, a request. */
import type {
  CoverageBatchRecord,
  CoverageInput,
  EligibilityCheck,
  EligibilityCheckInput,
  Preauthorization,
} from '@carecover/contract';
import { newId } from '@carecover/platform';
import type { BookingFacts } from '@carecover/workflow-preauthorization';
import { DAY_MS } from './days';
import { directTemporal } from './direct-temporal';
import { newCaller, TestBenefits } from './test-benefits';

/**
 * Registers jest's hooks for a suite without an engine: one benefits, whose commands are carried out at once; a project of its own
 * for each test, and the real time before it. What this gives is there once they have run.
 */
export function useBenefits(): { readonly benefits: TestBenefits } {
  let benefits: TestBenefits | undefined;
  beforeAll(async () => {
    benefits = await TestBenefits.open();
    benefits.useTemporal(directTemporal(benefits.sql));
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

/** Asks what covers this member's session at that time. */
export async function check(
  benefits: TestBenefits,
  memberReference: string,
  startsAtMs: number,
  asked: Partial<EligibilityCheckInput> = {},
): Promise<EligibilityCheck> {
  const { body } = await benefits.call('createEligibilityCheck', {
    member_reference: memberReference,
    service_code: 'psy.individual.50',
    scheduled_at: new Date(startsAtMs).toISOString(),
    amount: 350_000,
    currency: 'KES',
    ...asked,
  });
  return body;
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
  const { service_code, currency } = input;
  const asked = { service_code, currency, ...(wish.amount === undefined ? {} : { amount: wish.amount }) };
  const { id: eligibility_check_id } = await check(benefits, input.member_reference, startsAt, asked);
  const booking = shelve(benefits, startsAt);
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
