/** Provocations of remittances and settlements. */
import type { PaymentAdviceInput } from '@carecover/client';
import type { World } from '@carecover/testing/stack';
import { fillWithRemittances } from '../store/remittances';
import { fillWithSettlements } from '../store/settlements';
import type { Attempt, Provocation, Provocations } from './provocation';

const reason = { reason_code: 'bank_recalled' };

/**
 * Creates a provocation that creates a remittance for a new adjudicated claim. `change` returns fields that replace those of the request
 * body.
 */
function withRemittance(change: (world: World, claimId: string) => object, paid_amount = 1000): Provocation {
  return async (world): Promise<Attempt> => {
    const { id } = await world.createAdjudicatedClaim();
    return { body: { ...world.remittanceInput([{ claim_id: id, paid_amount }]), ...change(world, id) } };
  };
}

/** Creates a provocation that creates a payment advice. `change` returns fields that replace those of the request body. */
function withAdvice(change: (input: PaymentAdviceInput, world: World) => object): Provocation {
  return async (world): Promise<Attempt> => {
    const input = await world.paymentAdviceInput();
    return { body: { ...input, ...change(input, world) } };
  };
}

/** Creates a provocation that replaces a payment advice by that of the given provocation of its creation. */
function replacing(creation: Provocation): Provocation {
  return async (world): Promise<Attempt> => ({
    ...(await creation(world)),
    params: { payment_advice_id: (await world.createPaymentAdvice()).id },
  });
}

/**
 * Creates a provocation that creates a settlement of a new remittance of 300,000 minor units. `change` returns fields that replace those
 * of the request body.
 */
function withSettlement(
  change: (world: World, remittance: { id: string; claimId: string }) => object,
): Provocation {
  return async (world): Promise<Attempt> => {
    const remittance = await world.createRemittance();
    const claimId = remittance.allocations[0]?.claim_id ?? '';
    return {
      body: { ...world.settlementInput(remittance.id), ...change(world, { id: remittance.id, claimId }) },
    };
  };
}

/** Provocations of the creation of a payment advice. */
const adviceProvocations = {
  success: async (world) => ({ body: await world.paymentAdviceInput() }),
  resource_not_found: withAdvice(() => ({ denials: [{ claim_id: 'clm_unknown' }] })),
  duplicate_remittance_reference: async (world) => {
    const { payer_reference } = await world.createRemittance();
    return { body: { ...(await world.paymentAdviceInput()), payer_reference } };
  },
  invalid_state: async (world) => {
    const { id } = await world.createAdjudicatedClaim();
    return {
      body: {
        ...(await world.paymentAdviceInput()),
        allocations: [{ claim_id: id, paid_amount: 1 }],
        recoveries: [],
        net: 1,
      },
      insertRows: (databaseUrl) => fillWithRemittances(databaseUrl, id),
    };
  },
  claim_not_adjudicated: async (world) => {
    const { id } = await world.createSubmittedClaim();
    const input = await world.paymentAdviceInput();
    return { body: { ...input, allocations: [{ claim_id: id, paid_amount: 300_000 }] } };
  },
  currency_mismatch: withAdvice(() => ({ currency: 'USD' })),
  allocation_duplicate: withAdvice(({ recoveries = [] }) => ({
    denials: recoveries.flatMap(({ claim_id }) => [{ claim_id }, { claim_id }]),
  })),
  over_allocation: withAdvice(({ allocations = [] }) => ({
    allocations: allocations.map((line) => ({ ...line, paid_amount: 300_001 })),
    net: 280_001,
  })),
  over_recovery: withAdvice(({ recoveries = [] }) => ({
    recoveries: recoveries.map((line) => ({ ...line, amount: 300_001 })),
    net: -1,
  })),
  advice_unbalanced: withAdvice(() => ({ net: 299_999 })),
  future_timestamp: withAdvice((_input, world) => ({ received_at: world.daysFromNow(1) })),
} satisfies Provocations['createPaymentAdvice'];

/** Provocations of the replacement of a payment advice by the advices of {@link adviceProvocations}. */
const replacements = Object.fromEntries(
  Object.entries(adviceProvocations).map(([outcome, creation]) => [outcome, replacing(creation)]),
) as Readonly<Record<keyof typeof adviceProvocations, Provocation>>;

export const paymentsProvocations: Provocations = {
  listRemittances: {
    success: async (world) => {
      const { payer_reference, allocations } = await world.createRemittance();
      return {
        query: { status: 'received', payer_reference, claim_id: allocations[0]?.claim_id ?? '' },
      };
    },
  },
  createRemittance: {
    success: withRemittance(() => ({})),
    resource_not_found: withRemittance(() => ({
      allocations: [{ claim_id: 'clm_unknown', paid_amount: 1 }],
    })),
    duplicate_remittance_reference: async (world) => {
      const { payer_reference } = await world.createRemittance();
      const { id } = await world.createAdjudicatedClaim();
      return { body: { ...world.remittanceInput([{ claim_id: id, paid_amount: 1 }]), payer_reference } };
    },
    invalid_state: async (world) => {
      const { id } = await world.createAdjudicatedClaim();
      return {
        body: world.remittanceInput([{ claim_id: id, paid_amount: 1 }]),
        insertRows: (databaseUrl) => fillWithRemittances(databaseUrl, id),
      };
    },
    claim_not_adjudicated: async (world) => {
      const { id } = await world.createSubmittedClaim();
      return { body: world.remittanceInput([{ claim_id: id, paid_amount: 1 }]) };
    },
    currency_mismatch: withRemittance(() => ({ currency: 'USD' })),
    allocation_duplicate: withRemittance((_world, claim_id) => ({
      allocations: [
        { claim_id, paid_amount: 1 },
        { claim_id, paid_amount: 2 },
      ],
    })),
    over_allocation: withRemittance(() => ({}), 300_001),
    future_timestamp: withRemittance((world) => ({ received_at: world.daysFromNow(1) })),
    validation_failed: withRemittance((_world, claim_id) => ({
      allocations: [
        { claim_id, paid_amount: Number.MAX_SAFE_INTEGER },
        { claim_id: `${claim_id}x`, paid_amount: 1 },
      ],
    })),
  },
  getRemittance: {
    success: async (world) => ({ params: { remittance_id: (await world.createRemittance()).id } }),
  },
  getRemittanceReconciliation: {
    success: async (world) => {
      const { remittance_id } = await world.createSettlement();
      return { params: { remittance_id } };
    },
  },
  listPaymentAdvices: {
    success: async (world) => {
      const { payer_reference, recoveries } = await world.createPaymentAdvice();
      return { query: { status: 'received', payer_reference, claim_id: recoveries[0]?.claim_id ?? '' } };
    },
  },
  createPaymentAdvice: adviceProvocations,
  getPaymentAdvice: {
    success: async (world) => ({
      params: { payment_advice_id: (await world.createPaymentAdvice()).id },
    }),
  },
  withdrawPaymentAdvice: {
    success: async (world) => ({
      params: { payment_advice_id: (await world.createPaymentAdvice()).id },
      body: reason,
    }),
    invalid_state: async (world) => {
      const { id } = await world.createPaymentAdvice();
      await world.client.paymentAdvices.withdraw(id, reason);
      return { params: { payment_advice_id: id }, body: reason };
    },
    advice_settled: async (world) => {
      const { id, remittance_id } = await world.createPaymentAdvice();
      await world.client.settlements.create(world.settlementInput(remittance_id, 280_000));
      return { params: { payment_advice_id: id }, body: reason };
    },
  },
  replacePaymentAdvice: {
    ...replacements,
    invalid_state: async (world) => {
      const { id } = await world.createPaymentAdvice();
      await world.client.paymentAdvices.withdraw(id, reason);
      return { params: { payment_advice_id: id }, body: await world.paymentAdviceInput() };
    },
    advice_settled: async (world) => {
      const { id, remittance_id } = await world.createPaymentAdvice();
      await world.client.settlements.create(world.settlementInput(remittance_id, 280_000));
      return { params: { payment_advice_id: id }, body: await world.paymentAdviceInput() };
    },
  },
  getPayerBalances: {
    success: async (world) => {
      await world.createPaymentAdvice({ allocations: [], net: -20_000 });
      return {};
    },
  },
  listSettlements: {
    success: async (world) => {
      const { remittance_id, source_reference } = await world.createSettlement();
      return { query: { remittance_id, source_reference, status: 'matched' } };
    },
  },
  createSettlement: {
    success: withSettlement(() => ({})),
    resource_not_found: withSettlement(() => ({ remittance_id: 'rem_unknown' })),
    duplicate_settlement_reference: async (world) => {
      const { source_reference } = await world.createSettlement();
      return { body: { ...world.settlementInput((await world.createRemittance()).id), source_reference } };
    },
    invalid_state: async (world) => {
      const { id } = await world.createRemittance();
      return {
        body: world.settlementInput(id),
        insertRows: (databaseUrl) => fillWithSettlements(databaseUrl, id),
      };
    },
    allocation_duplicate: withSettlement((_world, { claimId }) => ({
      allocations: [
        { claim_id: claimId, amount: 100_000 },
        { claim_id: claimId, amount: 200_000 },
      ],
    })),
    over_allocation: withSettlement((_world, { claimId }) => ({
      amount: 1000,
      allocations: [{ claim_id: claimId, amount: 999 }],
    })),
    future_timestamp: withSettlement((world) => ({ observed_at: world.daysFromNow(1) })),
  },
  getSettlement: {
    success: async (world) => ({ params: { settlement_id: (await world.createSettlement()).id } }),
  },
  reverseSettlement: {
    success: async (world) => ({
      params: { settlement_id: (await world.createSettlement()).id },
      body: reason,
    }),
    invalid_state: async (world) => {
      const { id } = await world.createSettlement();
      await world.client.settlements.reverse(id, reason);
      return { params: { settlement_id: id }, body: reason };
    },
  },
};
