/** The client's methods for remittances, payment advices and settlements. */
import type {
  ClaimId,
  PaymentAdvice,
  PaymentAdviceId,
  PaymentAdviceInput,
  Remittance,
  RemittanceId,
  RemittanceInput,
  ReversalInput,
  Settlement,
  SettlementId,
  SettlementInput,
} from '../generated/types.ts';
import type { CallOptions, Transport } from '../transport.ts';
import type { StatusQuery } from './queries.ts';

export interface RemittanceQuery extends StatusQuery<Remittance['status']> {
  readonly payer_reference?: string;
  readonly claim_id?: ClaimId;
}

export const remittances = (transport: Transport) => ({
  /**
   * Lists the remittances, newest first.
   *
   * @example
   * for await (const { id } of carecover.remittances.list({ status: 'exception' })) console.log(id);
   */
  list: (query: RemittanceQuery = {}, options?: CallOptions) =>
    transport.list('listRemittances', query, options),

  /**
   * Records the payer's advice of what it pays for which claims, either all allocations or none. Amounts are integers in minor units.
   *
   * @example
   * await carecover.remittances.create({
   *   payer_reference: 'ERA-2025-118',
   *   currency: 'KES',
   *   received_at: '2025-03-15T00:00:00Z',
   *   allocations: [{ claim_id: 'clm_0199f2a4', paid_amount: 300_000 }],
   * });
   */
  create: (body: RemittanceInput, options?: CallOptions) =>
    transport.call('createRemittance', { body }, options),

  /**
   * Reads a remittance. Amounts are in minor units.
   *
   * @example
   * const { status } = await carecover.remittances.retrieve('rem_0199f2a4');
   */
  retrieve: (id: RemittanceId, options?: CallOptions) =>
    transport.call('getRemittance', { params: { remittance_id: id } }, options),

  /**
   * Reads why the remittance is reconciled or not, and which operations would reconcile it. Amounts are in minor units.
   *
   * @example
   * const { next_steps } = await carecover.remittances.reconciliation('rem_0199f2a4');
   */
  reconciliation: (id: RemittanceId, options?: CallOptions) =>
    transport.call('getRemittanceReconciliation', { params: { remittance_id: id } }, options),
});

export interface RemittancesMethods extends ReturnType<typeof remittances> {}

export interface PaymentAdviceQuery extends StatusQuery<PaymentAdvice['status']> {
  readonly payer_reference?: string;
  readonly claim_id?: ClaimId;
}

export const paymentAdvices = (transport: Transport) => ({
  /**
   * Lists the payment advices, newest first.
   *
   * @example
   * for await (const { id, net } of carecover.paymentAdvices.list()) console.log(id, net);
   */
  list: (query: PaymentAdviceQuery = {}, options?: CallOptions) =>
    transport.list('listPaymentAdvices', query, options),

  /**
   * Records all that a payer's advice says: what it pays, denies and takes back, and adjustments of no claim. Amounts are in minor units.
   * `net` is their sum, and negative if the payer will deduct it from a later payment.
   *
   * @example
   * await carecover.paymentAdvices.create({
   *   payer_reference: 'ERA-2025-119',
   *   currency: 'KES',
   *   received_at: '2025-03-20T00:00:00Z',
   *   allocations: [{ claim_id: 'clm_0199f2a4', paid_amount: 300_000 }],
   *   recoveries: [{ claim_id: 'clm_0199f2a5', amount: 20_000, reason_codes: ['overpaid'] }],
   *   net: 280_000,
   * });
   */
  create: (body: PaymentAdviceInput, options?: CallOptions) =>
    transport.call('createPaymentAdvice', { body }, options),

  /**
   * Reads a payment advice. Amounts are in minor units.
   *
   * @example
   * const { net, recoveries } = await carecover.paymentAdvices.retrieve('adv_0199f2a4');
   */
  retrieve: (id: PaymentAdviceId, options?: CallOptions) =>
    transport.call('getPaymentAdvice', { params: { payment_advice_id: id } }, options),

  /**
   * Withdraws a payment advice of which nothing is settled: what it remitted and took back is undone on its claims.
   *
   * @example
   * await carecover.paymentAdvices.withdraw('adv_0199f2a4', { reason_code: 'sent_in_error' });
   */
  withdraw: (id: PaymentAdviceId, body: ReversalInput, options?: CallOptions) =>
    transport.call('withdrawPaymentAdvice', { params: { payment_advice_id: id }, body }, options),

  /**
   * Replaces a payment advice of which nothing is settled: withdraws it and records another one in its place, both or none.
   * Amounts are in minor units.
   *
   * @example
   * const { replaces } = await carecover.paymentAdvices.replace('adv_0199f2a4', {
   *   payer_reference: 'ERA-2025-119',
   *   currency: 'KES',
   *   received_at: '2025-03-22T00:00:00Z',
   *   allocations: [{ claim_id: 'clm_0199f2a4', paid_amount: 290_000 }],
   *   net: 290_000,
   * });
   */
  replace: (id: PaymentAdviceId, body: PaymentAdviceInput, options?: CallOptions) =>
    transport.call('replacePaymentAdvice', { params: { payment_advice_id: id }, body }, options),

  /**
   * Reads what payers will deduct from later payments, in minor units.
   *
   * @example
   * const { data } = await carecover.paymentAdvices.balances();
   */
  balances: (options?: CallOptions) => transport.call('getPayerBalances', {}, options),
});

export interface PaymentAdvicesMethods extends ReturnType<typeof paymentAdvices> {}

export interface SettlementQuery extends StatusQuery<Settlement['status']> {
  readonly remittance_id?: RemittanceId;
  readonly source_reference?: string;
}

export const settlements = (transport: Transport) => ({
  /**
   * Lists the settlements, newest first.
   *
   * @example
   * for await (const { id } of carecover.settlements.list({ status: 'unmatched' })) console.log(id);
   */
  list: (query: SettlementQuery = {}, options?: CallOptions) =>
    transport.list('listSettlements', query, options),

  /**
   * Records that funds of a remittance moved, as a bank statement shows. Amounts are integers in minor units.
   *
   * @example
   * await carecover.settlements.create({
   *   remittance_id: 'rem_0199f2a4',
   *   source_reference: 'bank:2025-03-16:77120',
   *   currency: 'KES',
   *   amount: 300_000,
   *   observed_at: '2025-03-16T14:00:00Z',
   * });
   */
  create: (body: SettlementInput, options?: CallOptions) =>
    transport.call('createSettlement', { body }, options),

  /**
   * Reads a settlement. Amounts are in minor units.
   *
   * @example
   * const { status, amount } = await carecover.settlements.retrieve('stl_0199f2a4');
   */
  retrieve: (id: SettlementId, options?: CallOptions) =>
    transport.call('getSettlement', { params: { settlement_id: id } }, options),

  /**
   * Reverses a settlement, for example because the bank took the funds back.
   *
   * @example
   * await carecover.settlements.reverse('stl_0199f2a4', { reason_code: 'recorded_in_error' });
   */
  reverse: (id: SettlementId, body: ReversalInput, options?: CallOptions) =>
    transport.call('reverseSettlement', { params: { settlement_id: id }, body }, options),
});

export interface SettlementsMethods extends ReturnType<typeof settlements> {}
