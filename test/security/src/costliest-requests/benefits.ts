/** The costliest requests of coverages, eligibility checks, pre-authorizations and consents. */
import {
  BATCH_BODY_LIMIT_BYTES,
  BATCH_CONTRACT_VERSION,
  BATCH_RECORD_LIMIT,
  type OperationId,
} from '@carecover/contract';
import { HOUR_MS, LIMIT, REQUESTED, SERVICE } from '@carecover/testing/stack';
import {
  type Costliest,
  type CostlyProject,
  type CostlyRequest,
  createEach,
  randomText,
  randomTexts,
  UNIQUE,
} from './costly';

const cancellation = { reason_code: 'a'.repeat(80) };

/** A coverage of the member with a payer's reference of the greatest length in each field that permits it. */
async function createCoverage({ world }: CostlyProject): Promise<CostlyRequest> {
  const input = await world.recordCoverage(world.uniqueReference('member'));
  return {
    body: {
      ...input,
      external_coverage_reference: `policy-${UNIQUE}`,
      tenant_reference: randomText(220),
      plan_name: randomText(160),
      evidence_references: randomTexts(20, 220),
    },
  };
}

/** The largest batch: the greatest number of records, each with references of the greatest length, in the largest body. */
async function createBatch({ world }: CostlyProject): Promise<CostlyRequest> {
  const records = Array.from({ length: BATCH_RECORD_LIMIT }, (_, index) => ({
    coverage_reference: `${randomText(100)}-${UNIQUE}-${index}`,
    tenant_reference: randomText(220),
    member_reference: `${randomText(100)}-${UNIQUE}-${index}`,
    service_code: SERVICE,
    record_version: randomText(120),
    plan_name: randomText(160),
    status: 'active',
    currency: 'KES',
    amount_limit: LIMIT,
    remaining_sessions: 5,
    authorization_required: false,
    coordination_priority: null,
    valid_from: world.daysFromNow(-1),
    valid_until: world.daysFromNow(30),
  }));
  const body = {
    contract_version: BATCH_CONTRACT_VERSION,
    batch_reference: `batch-${UNIQUE}`,
    source_contract_reference: `contract-${UNIQUE}`,
    batch_version: '1',
    generated_at: new Date(Date.now() - HOUR_MS).toISOString(),
    records,
  };
  const text = JSON.stringify(body);
  // Half of the limit is left for the texts that replace `UNIQUE`, which is longer than its placeholder.
  return {
    body: text + ' '.repeat(BATCH_BODY_LIMIT_BYTES / 2 - text.length),
    headers: { 'x-artifact-reference': 'file-1' },
  };
}

/** Creates a pre-authorization with the largest decision. */
const decided = (project: CostlyProject) =>
  project.shared('a decided pre-authorization', async () => {
    const { preauthorization } = await project.world.createPendingPreauthorization();
    return project.world.client.preauthorizations.decide(preauthorization.id, largestApproval(project));
  });

const largestApproval = ({ world }: CostlyProject) => ({
  ...world.approvalInput(),
  reason_codes: randomTexts(32, 80),
  policy_reference: `p${randomText(199)}`,
  policy_version: randomText(100),
  evidence_references: randomTexts(29, 300),
});

async function pendingId({ world }: CostlyProject): Promise<{ preauthorization_id: string }> {
  return { preauthorization_id: (await world.createPendingPreauthorization()).preauthorization.id };
}

/** Creates a member with several coverages, which an eligibility check compares. */
const memberWithCoverages = (project: CostlyProject) =>
  project.shared('a member with coverages', async () => {
    const member = project.world.uniqueReference('member');
    for (let recorded = 1; recorded <= 20; recorded++)
      await project.world.recordCoverage(member, { coordination_priority: recorded });
    return member;
  });

export const benefitsRequests = {
  createCoverage: { create: async (project) => [await createCoverage(project)] },
  createCoverageBatch: { create: async (project) => [await createBatch(project)] },
  getCoverage: {
    create: async (project) => {
      const { world } = project;
      const { member_reference: _member, ...input } = await world.recordCoverage(
        world.uniqueReference('member'),
      );
      const { coverage_id } = await world.client.coverages.record({
        ...input,
        member_reference: _member,
        source_version: '2',
        evidence_references: randomTexts(20, 220),
      });
      return [{ params: { coverage_id } }];
    },
  },
  createEligibilityCheck: {
    create: async (project) => [
      {
        body: {
          member_reference: await memberWithCoverages(project),
          service_code: SERVICE,
          scheduled_at: project.world.daysFromNow(-3),
          amount: REQUESTED,
          currency: 'KES',
          retrospective: true,
        },
      },
    ],
  },
  getEligibilityCheck: {
    create: async (project) => {
      const member = await memberWithCoverages(project);
      const { id } = await project.world.createCheck(member, project.world.daysFromNow(3));
      return [{ params: { eligibility_check_id: id } }];
    },
  },
  listPreauthorizations: {
    create: async (project) => {
      await decided(project);
      return [{ query: { limit: '100' } }];
    },
  },
  createPreauthorization: {
    create: (project) =>
      createEach(project, async () => {
        const { check, bookingId } = await project.world.createCoveredBooking();
        return { body: { eligibility_check_id: check.id, booking_id: bookingId } };
      }),
  },
  getPreauthorization: {
    create: async (project) => [{ params: { preauthorization_id: (await decided(project)).id } }],
  },
  decidePreauthorization: {
    create: (project) =>
      createEach(project, async () => ({ params: await pendingId(project), body: largestApproval(project) })),
  },
  cancelPreauthorization: {
    create: (project) =>
      createEach(project, async () => ({ params: await pendingId(project), body: cancellation })),
  },
  expirePreauthorization: {
    create: (project) => createEach(project, async () => ({ params: await pendingId(project) })),
  },
  recordConsent: {
    create: async () => [{ body: { member_reference: `${randomText(150)}-${UNIQUE}`, status: 'withdrawn' } }],
  },
  getConsent: {
    create: async ({ world }) => {
      const { id } = await world.client.consents.record({
        member_reference: world.uniqueReference('member'),
        status: 'granted',
      });
      return [{ params: { consent_id: id } }];
    },
  },
} satisfies Partial<Record<OperationId, Costliest>>;
