/** Provocations of coverages, eligibility checks, pre-authorizations and consents. */
import { HOUR_MS, LIMIT, SERVICE, type World } from '@carecover/testing/stack';
import type { Provocations } from './provocation';

async function createCoverageInput(world: World) {
  const input = await world.recordCoverage(world.uniqueReference('member'));
  return { ...input, source_version: '2' };
}

function createBatch(world: World, records: number, version = '1') {
  const reference = world.uniqueReference('batch');
  return {
    headers: { 'x-artifact-reference': reference },
    body: {
      contract_version: '2026-08-01',
      batch_reference: reference,
      source_contract_reference: reference,
      batch_version: version,
      generated_at: new Date(Date.now() - HOUR_MS).toISOString(),
      records: Array.from({ length: records }, (_, index) => ({
        coverage_reference: `policy-${index}`,
        tenant_reference: 'payer:one',
        member_reference: world.uniqueReference('member'),
        service_code: SERVICE,
        record_version: '1',
        plan_name: 'Plan',
        status: 'active',
        currency: 'KES',
        amount_limit: LIMIT,
        remaining_sessions: 5,
        authorization_required: false,
        coordination_priority: null,
        valid_from: world.daysFromNow(-1),
        valid_until: world.daysFromNow(30),
      })),
    },
  };
}

async function createCheckInput(world: World) {
  const member_reference = world.uniqueReference('member');
  return {
    member_reference,
    service_code: SERVICE,
    scheduled_at: world.daysFromNow(3),
    amount: 1000,
    currency: 'KES',
  };
}

async function createPreauthorizationInput(world: World) {
  const { check, bookingId } = await world.createCoveredBooking();
  return { eligibility_check_id: check.id, booking_id: bookingId };
}

async function recordConsent(
  world: World,
  status: 'granted' | 'withdrawn',
  member = world.uniqueReference('member'),
) {
  return world.client.consents.record({ member_reference: member, status });
}

const cancellation = { reason_code: 'member_asked' };

export const benefitsProvocations: Provocations = {
  createCoverage: {
    success: async (world) => ({ body: await createCoverageInput(world) }),
    validation_failed: async (world) => ({
      body: { ...(await createCoverageInput(world)), observed_at: world.daysFromNow(1) },
    }),
    source_version_conflict: async (world) => {
      const input = await world.recordCoverage(world.uniqueReference('member'));
      return { body: { ...input, remaining_sessions: 1 } };
    },
  },
  createCoverageBatch: {
    success: async (world) => createBatch(world, 20),
    payload_too_large: async (world) => {
      const attempt = createBatch(world, 1);
      return { ...attempt, body: { ...attempt.body, padding: 'x'.repeat(5 * 1024 * 1024) } };
    },
    source_version_conflict: async (world) => {
      const { headers, body } = createBatch(world, 2);
      const records = body.records.map((record) => ({ ...record, coverage_reference: 'duplicate' }));
      return { headers, body: { ...body, records } };
    },
  },
  getCoverage: {
    success: async (world) => {
      const input = await world.recordCoverage(world.uniqueReference('member'));
      const again = await world.client.coverages.record(input);
      return { params: { coverage_id: again.coverage_id } };
    },
  },
  createEligibilityCheck: {
    success: async (world) => ({ body: await createCheckInput(world) }),
    session_in_past: async (world) => ({
      body: { ...(await createCheckInput(world)), scheduled_at: world.daysFromNow(-1) },
    }),
    consent_required: async (world) => {
      const body = await createCheckInput(world);
      await recordConsent(world, 'withdrawn', body.member_reference);
      return { body };
    },
  },
  getEligibilityCheck: {
    success: async (world) => ({
      params: { eligibility_check_id: (await world.createCoveredBooking()).check.id },
    }),
  },
  listPreauthorizations: { success: async () => ({ query: { status: 'pending' } }) },
  createPreauthorization: {
    success: async (world) => ({ body: await createPreauthorizationInput(world) }),
    resource_not_found: async (world) => ({
      body: { ...(await createPreauthorizationInput(world)), booking_id: 'bkg_unknown' },
    }),
    not_eligible: async (world) => {
      const { check, bookingId } = await world.createBooking(world.uniqueReference('member'));
      return { body: { eligibility_check_id: check.id, booking_id: bookingId } };
    },
    booking_not_covered: async (world) => {
      const member = world.uniqueReference('member');
      await world.recordCoverage(member);
      const { check, bookingId } = await world.createBooking(member, 'self_pay');
      return { body: { eligibility_check_id: check.id, booking_id: bookingId } };
    },
    invalid_state: async (world) => {
      const { check, bookingId } = await world.createCoveredBooking();
      await world.client.bookings.cancel(bookingId, cancellation);
      return { body: { eligibility_check_id: check.id, booking_id: bookingId } };
    },
    service_mismatch: async (world) => {
      const { member, bookingId } = await world.createCoveredBooking();
      const other = await world.createCheck(member, world.daysFromNow(5));
      return { body: { eligibility_check_id: other.id, booking_id: bookingId } };
    },
    session_in_past: async (world) => {
      const { check, bookingId, startsAt } = await world.createCoveredBooking();
      await world.moveClock(Date.parse(startsAt) + 1000 - Date.now());
      return {
        body: { eligibility_check_id: check.id, booking_id: bookingId },
        cleanUp: () => world.moveClock(0),
      };
    },
    preauthorization_exists: async (world) => {
      const { check, bookingId } = await world.createPendingPreauthorization();
      return { body: { eligibility_check_id: check.id, booking_id: bookingId } };
    },
  },
  getPreauthorization: {
    success: async (world) => ({
      params: { preauthorization_id: (await world.createPendingPreauthorization()).preauthorization.id },
    }),
  },
  decidePreauthorization: {
    success: async (world) => ({
      params: { preauthorization_id: (await world.createPendingPreauthorization()).preauthorization.id },
      body: world.approvalInput(),
    }),
    invalid_state: async (world) => ({
      params: { preauthorization_id: (await world.createApprovedPreauthorization()).preauthorization.id },
      body: world.approvalInput(),
    }),
    amount_exceeds_request: async (world) => ({
      params: { preauthorization_id: (await world.createPendingPreauthorization()).preauthorization.id },
      body: world.approvalInput({ approved_amount: 400_001 }),
    }),
    valid_until_in_past: async (world) => ({
      params: { preauthorization_id: (await world.createPendingPreauthorization()).preauthorization.id },
      body: world.approvalInput({ valid_until: world.daysFromNow(-1) }),
    }),
    benefit_exhausted: async (world) => {
      const first = await world.createPendingPreauthorization({ remaining_sessions: 1 });
      const second = await world.createBooking(first.member);
      const { id } = await world.requestPreauthorization(second);
      await world.client.preauthorizations.decide(first.preauthorization.id, world.approvalInput());
      return { params: { preauthorization_id: id }, body: world.approvalInput() };
    },
  },
  cancelPreauthorization: {
    success: async (world) => ({
      params: { preauthorization_id: (await world.createApprovedPreauthorization()).preauthorization.id },
      body: cancellation,
    }),
    invalid_state: async (world) => {
      const claimable = await world.createClaimableSession();
      await world.client.claims.submit(world.claimInput(claimable));
      return { params: { preauthorization_id: claimable.preauthorization.id }, body: cancellation };
    },
  },
  expirePreauthorization: {
    success: async (world) => ({
      params: { preauthorization_id: (await world.createApprovedPreauthorization()).preauthorization.id },
    }),
    invalid_state: async (world) => {
      const { preauthorization } = await world.createPendingPreauthorization();
      await world.client.preauthorizations.cancel(preauthorization.id, cancellation);
      return { params: { preauthorization_id: preauthorization.id } };
    },
  },
  recordConsent: {
    success: async (world) => ({
      body: { member_reference: world.uniqueReference('member'), status: 'withdrawn' },
    }),
  },
  getConsent: {
    success: async (world) => ({ params: { consent_id: (await recordConsent(world, 'granted')).id } }),
  },
};
