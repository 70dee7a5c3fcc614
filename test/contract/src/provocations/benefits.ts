/** Coverage, eligibility, pre-authorizations and consents. */
import { HOUR_MS, LIMIT, SERVICE, type World } from '@carecover/test-support';
import type { Provocations } from './provocation';

async function coverageInput(world: World) {
  const input = await world.coverage(world.unique('member'));
  return { ...input, source_version: '2' };
}

function batch(world: World, records: number, version = '1') {
  const reference = world.unique('batch');
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
        member_reference: world.unique('member'),
        service_code: SERVICE,
        record_version: '1',
        plan_name: 'Plan',
        status: 'active',
        currency: 'KES',
        amount_limit: LIMIT,
        remaining_sessions: 5,
        authorization_required: false,
        coordination_priority: null,
        valid_from: world.inDays(-1),
        valid_until: world.inDays(30),
      })),
    },
  };
}

async function checkInput(world: World) {
  const member_reference = world.unique('member');
  return {
    member_reference,
    service_code: SERVICE,
    scheduled_at: world.inDays(3),
    amount: 1000,
    currency: 'KES',
  };
}

async function preauthorizationInput(world: World) {
  const { check, bookingId } = await world.covered();
  return { eligibility_check_id: check.id, booking_id: bookingId };
}

async function aConsent(world: World, status: 'granted' | 'withdrawn', member = world.unique('member')) {
  return world.client.consents.record({ member_reference: member, status });
}

const cancellation = { reason_code: 'member_asked' };

export const benefitsProvocations: Provocations = {
  createCoverage: {
    success: async (world) => ({ body: await coverageInput(world) }),
    validation_failed: async (world) => ({
      body: { ...(await coverageInput(world)), observed_at: world.inDays(1) },
    }),
    source_version_conflict: async (world) => {
      const input = await world.coverage(world.unique('member'));
      return { body: { ...input, remaining_sessions: 1 } };
    },
  },
  createCoverageBatch: {
    success: async (world) => batch(world, 20),
    payload_too_large: async (world) => {
      const attempt = batch(world, 1);
      return { ...attempt, body: { ...attempt.body, padding: 'x'.repeat(5 * 1024 * 1024) } };
    },
    source_version_conflict: async (world) => {
      const { headers, body } = batch(world, 2);
      const records = body.records.map((record) => ({ ...record, coverage_reference: 'the-same' }));
      return { headers, body: { ...body, records } };
    },
  },
  getCoverage: {
    success: async (world) => {
      const input = await world.coverage(world.unique('member'));
      const again = await world.client.coverages.record(input);
      return { params: { coverage_id: again.coverage_id } };
    },
  },
  createEligibilityCheck: {
    success: async (world) => ({ body: await checkInput(world) }),
    session_in_past: async (world) => ({
      body: { ...(await checkInput(world)), scheduled_at: world.inDays(-1) },
    }),
    consent_required: async (world) => {
      const body = await checkInput(world);
      await aConsent(world, 'withdrawn', body.member_reference);
      return { body };
    },
  },
  getEligibilityCheck: {
    success: async (world) => ({ params: { eligibility_check_id: (await world.covered()).check.id } }),
  },
  listPreauthorizations: { success: async () => ({ query: { status: 'pending' } }) },
  createPreauthorization: {
    success: async (world) => ({ body: await preauthorizationInput(world) }),
    resource_not_found: async (world) => ({
      body: { ...(await preauthorizationInput(world)), booking_id: 'bkg_unknown' },
    }),
    not_eligible: async (world) => {
      const { check, bookingId } = await world.bookFor(world.unique('member'));
      return { body: { eligibility_check_id: check.id, booking_id: bookingId } };
    },
    booking_not_covered: async (world) => {
      const member = world.unique('member');
      await world.coverage(member);
      const { check, bookingId } = await world.bookFor(member, 'self_pay');
      return { body: { eligibility_check_id: check.id, booking_id: bookingId } };
    },
    invalid_state: async (world) => {
      const { check, bookingId } = await world.covered();
      await world.client.bookings.cancel(bookingId, cancellation);
      return { body: { eligibility_check_id: check.id, booking_id: bookingId } };
    },
    service_mismatch: async (world) => {
      const { member, bookingId } = await world.covered();
      const other = await world.check(member, world.inDays(5));
      return { body: { eligibility_check_id: other.id, booking_id: bookingId } };
    },
    session_in_past: async (world) => {
      const { check, bookingId, startsAt } = await world.covered();
      await world.moveClock(Date.parse(startsAt) + 1000 - Date.now());
      return {
        body: { eligibility_check_id: check.id, booking_id: bookingId },
        afterwards: () => world.moveClock(0),
      };
    },
    preauthorization_exists: async (world) => {
      const { check, bookingId } = await world.pending();
      return { body: { eligibility_check_id: check.id, booking_id: bookingId } };
    },
  },
  getPreauthorization: {
    success: async (world) => ({
      params: { preauthorization_id: (await world.pending()).preauthorization.id },
    }),
  },
  decidePreauthorization: {
    success: async (world) => ({
      params: { preauthorization_id: (await world.pending()).preauthorization.id },
      body: world.approval(),
    }),
    invalid_state: async (world) => ({
      params: { preauthorization_id: (await world.approved()).preauthorization.id },
      body: world.approval(),
    }),
    amount_exceeds_request: async (world) => ({
      params: { preauthorization_id: (await world.pending()).preauthorization.id },
      body: world.approval({ approved_amount: 400_001 }),
    }),
    valid_until_in_past: async (world) => ({
      params: { preauthorization_id: (await world.pending()).preauthorization.id },
      body: world.approval({ valid_until: world.inDays(-1) }),
    }),
    benefit_exhausted: async (world) => {
      const first = await world.pending({ remaining_sessions: 1 });
      const second = await world.bookFor(first.member);
      const { id } = await world.request(second);
      await world.client.preauthorizations.decide(first.preauthorization.id, world.approval());
      return { params: { preauthorization_id: id }, body: world.approval() };
    },
  },
  cancelPreauthorization: {
    success: async (world) => ({
      params: { preauthorization_id: (await world.approved()).preauthorization.id },
      body: cancellation,
    }),
    invalid_state: async (world) => {
      const claimable = await world.claimable();
      await world.client.claims.submit(world.claimInput(claimable));
      return { params: { preauthorization_id: claimable.preauthorization.id }, body: cancellation };
    },
  },
  expirePreauthorization: {
    success: async (world) => ({
      params: { preauthorization_id: (await world.approved()).preauthorization.id },
    }),
    invalid_state: async (world) => {
      const { preauthorization } = await world.pending();
      await world.client.preauthorizations.cancel(preauthorization.id, cancellation);
      return { params: { preauthorization_id: preauthorization.id } };
    },
  },
  recordConsent: {
    success: async (world) => ({ body: { member_reference: world.unique('member'), status: 'withdrawn' } }),
  },
  getConsent: {
    success: async (world) => ({ params: { consent_id: (await aConsent(world, 'granted')).id } }),
  },
};
