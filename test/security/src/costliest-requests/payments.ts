/** The costliest requests of remittances and settlements. */
import type { ClaimId, RemittanceId, RemittanceInput } from '@carecover/client';
import type { OperationId } from '@carecover/contract';
import { testSize } from '@carecover/testing/servers';
import { insertClaimCopies, insertRemittanceCopies } from '../store/large-resources';
import { type Costliest, type CostlyProject, createEach, randomTexts, UNIQUE } from './costly';

const ALLOCATIONS = 100;
/** The number of large remittances in the project: more than one page of their list has. */
const LARGE_REMITTANCES = testSize({ ci: 30, soak: 110 });
const reason = { reason_code: 'a'.repeat(80) };

/** Creates claims to which remittances can allocate. */
const adjudicatedClaims = (project: CostlyProject) =>
  project.shared('adjudicated claims', async () => {
    const { id } = await project.world.createAdjudicatedClaim();
    return insertClaimCopies(project.databaseUrl, id, ALLOCATIONS);
  });

async function largestRemittance(project: CostlyProject): Promise<RemittanceInput> {
  const claims = await adjudicatedClaims(project);
  return {
    ...project.world.remittanceInput([]),
    allocations: claims.map((claim) => ({
      claim_id: claim as ClaimId,
      paid_amount: 1,
      reason_codes: randomTexts(16, 200),
    })),
  };
}

const remittance = (project: CostlyProject) =>
  project.shared('the largest remittance', async () =>
    project.world.client.remittances.create(await largestRemittance(project)),
  );

/** Creates a remittance of one claim whose amount permits many partial settlements. */
const settledInParts = (project: CostlyProject) =>
  project.shared('a remittance that is settled in parts', () => project.world.createRemittance());

const partOf = async (project: CostlyProject) => ({
  ...project.world.settlementInput((await settledInParts(project)).id, 1),
  source_reference: `BANK-${UNIQUE}`,
});

async function createPart(project: CostlyProject) {
  const input = await partOf(project);
  return project.world.client.settlements.create({
    ...input,
    source_reference: project.world.uniqueReference('BANK'),
  });
}

export const paymentsRequests = {
  listRemittances: {
    create: async (project) => {
      const { id } = await remittance(project);
      await project.shared('many large remittances', () =>
        insertRemittanceCopies(project.databaseUrl, id as RemittanceId, LARGE_REMITTANCES),
      );
      return [{ query: { limit: '100' } }];
    },
  },
  createRemittance: {
    create: async (project) => [
      { body: { ...(await largestRemittance(project)), payer_reference: `ADVICE-${UNIQUE}` } },
    ],
  },
  getRemittance: {
    create: async (project) => [{ params: { remittance_id: (await remittance(project)).id } }],
  },
  getRemittanceReconciliation: {
    create: async (project) => [{ params: { remittance_id: (await remittance(project)).id } }],
  },
  listSettlements: {
    create: async (project) => {
      await createPart(project);
      return [{ query: { limit: '100' } }];
    },
  },
  createSettlement: { create: async (project) => [{ body: await partOf(project) }] },
  getSettlement: {
    create: async (project) => [{ params: { settlement_id: (await createPart(project)).id } }],
  },
  reverseSettlement: {
    create: (project) =>
      createEach(project, async () => ({
        params: { settlement_id: (await createPart(project)).id },
        body: reason,
      })),
  },
} satisfies Partial<Record<OperationId, Costliest>>;
