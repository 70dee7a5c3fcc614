/** The costliest requests of remittances and settlements. */
import type { ClaimId, PaymentAdviceInput, RemittanceId, RemittanceInput } from '@carecover/client';
import { ADVICE_LINE_LIMIT, type OperationId } from '@carecover/contract';
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

/** Creates the largest advice: the maximum number of allocations, with as many reasons as a body of 1 MiB has. */
async function largestAdvice(project: CostlyProject): Promise<PaymentAdviceInput> {
  const claims = await project.shared('claims of the largest advice', async () => {
    const { id } = await project.world.createAdjudicatedClaim();
    return insertClaimCopies(project.databaseUrl, id, ADVICE_LINE_LIMIT);
  });
  return {
    ...project.world.remittanceInput([]),
    allocations: claims.map((claim) => ({
      claim_id: claim as ClaimId,
      paid_amount: 1,
      reason_codes: randomTexts(4, 200),
    })),
    net: claims.length,
  };
}

const advice = (project: CostlyProject) =>
  project.shared('the largest payment advice', async () =>
    project.world.client.paymentAdvices.create(await largestAdvice(project)),
  );

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
  listPaymentAdvices: {
    create: async (project) => {
      const { remittance_id } = await advice(project);
      await project.shared('many large advices', () =>
        insertRemittanceCopies(project.databaseUrl, remittance_id, LARGE_REMITTANCES),
      );
      return [{ query: { limit: '100' } }];
    },
  },
  createPaymentAdvice: {
    create: async (project) => [
      { body: { ...(await largestAdvice(project)), payer_reference: `ADVICE-${UNIQUE}` } },
    ],
  },
  getPaymentAdvice: {
    create: async (project) => [{ params: { payment_advice_id: (await advice(project)).id } }],
  },
  withdrawPaymentAdvice: {
    create: (project) =>
      createEach(project, async () => ({
        params: {
          payment_advice_id: (await project.world.client.paymentAdvices.create(await largestAdvice(project)))
            .id,
        },
        body: reason,
      })),
  },
  replacePaymentAdvice: {
    create: (project) =>
      createEach(project, async () => {
        const input = await largestAdvice(project);
        const { id } = await project.world.client.paymentAdvices.create(input);
        return { params: { payment_advice_id: id }, body: input };
      }),
  },
  getPayerBalances: {
    create: async (project) => {
      const { remittance_id } = await project.shared('an advice that forwards a balance', async () =>
        project.world.createPaymentAdvice({ allocations: [], net: -20_000 }),
      );
      await project.shared('many forwarded balances', () =>
        insertRemittanceCopies(project.databaseUrl, remittance_id, LARGE_REMITTANCES),
      );
      return [{}];
    },
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
