Object.defineProperty(exports, '__esModule', { value: true });
exports.paymentsProvocations = void 0;
const reason = { reason_code: 'bank_recalled' };
/** A remittance to a freshly decided claim, changed. */
function remit(change, paid_amount = 1000) {
  return async (world) => {
    const { id } = await world.decided();
    return { body: { ...world.remittanceInput([{ claim_id: id, paid_amount }]), ...change(world, id) } };
  };
}
/** An observation of a fresh remittance of 300,000, changed. */
function observe(change) {
  return async (world) => {
    const remittance = await world.remitted();
    const claimId = remittance.allocations[0]?.claim_id ?? '';
    return {
      body: { ...world.settlementInput(remittance.id), ...change(world, { id: remittance.id, claimId }) },
    };
  };
}
exports.paymentsProvocations = {
  listRemittances: { success: async () => ({ query: { status: 'received' } }) },
  createRemittance: {
    success: remit(() => ({})),
    resource_not_found: remit(() => ({ allocations: [{ claim_id: 'clm_unknown', paid_amount: 1 }] })),
    duplicate_remittance_reference: async (world) => {
      const { payer_reference } = await world.remitted();
      const { id } = await world.decided();
      return { body: { ...world.remittanceInput([{ claim_id: id, paid_amount: 1 }]), payer_reference } };
    },
    claim_not_adjudicated: async (world) => {
      const { id } = await world.submitted();
      return { body: world.remittanceInput([{ claim_id: id, paid_amount: 1 }]) };
    },
    currency_mismatch: remit(() => ({ currency: 'USD' })),
    allocation_duplicate: remit((_world, claim_id) => ({
      allocations: [
        { claim_id, paid_amount: 1 },
        { claim_id, paid_amount: 2 },
      ],
    })),
    over_allocation: remit(() => ({}), 300_001),
    future_timestamp: remit((world) => ({ received_at: world.inDays(1) })),
    validation_failed: remit((_world, claim_id) => ({
      allocations: [
        { claim_id, paid_amount: Number.MAX_SAFE_INTEGER },
        { claim_id: `${claim_id}x`, paid_amount: 1 },
      ],
    })),
  },
  getRemittance: { success: async (world) => ({ params: { remittance_id: (await world.remitted()).id } }) },
  createSettlement: {
    success: observe(() => ({})),
    resource_not_found: observe(() => ({ remittance_id: 'rem_unknown' })),
    duplicate_settlement_reference: async (world) => {
      const { source_reference } = await world.settled();
      return { body: { ...world.settlementInput((await world.remitted()).id), source_reference } };
    },
    allocation_duplicate: observe((_world, { claimId }) => ({
      allocations: [
        { claim_id: claimId, amount: 100_000 },
        { claim_id: claimId, amount: 200_000 },
      ],
    })),
    over_allocation: observe((_world, { claimId }) => ({
      amount: 1000,
      allocations: [{ claim_id: claimId, amount: 999 }],
    })),
    future_timestamp: observe((world) => ({ observed_at: world.inDays(1) })),
  },
  getSettlement: { success: async (world) => ({ params: { settlement_id: (await world.settled()).id } }) },
  reverseSettlement: {
    success: async (world) => ({ params: { settlement_id: (await world.settled()).id }, body: reason }),
    invalid_state: async (world) => {
      const { id } = await world.settled();
      await world.client.settlements.reverse(id, reason);
      return { params: { settlement_id: id }, body: reason };
    },
  },
};
