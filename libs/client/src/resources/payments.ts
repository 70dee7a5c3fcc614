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
  list: (query: RemittanceQuery = {}, options?: CallOptions) =>
    transport.list('listRemittances', query, options),

  create: (body: RemittanceInput, options?: CallOptions) =>
    transport.call('createRemittance', { body }, options),

  retrieve: (id: RemittanceId, options?: CallOptions) =>
    transport.call('getRemittance', { params: { remittance_id: id } }, options),

  /** Reads why the remittance is reconciled or not, and which operations would reconcile it. */
  reconciliation: (id: RemittanceId, options?: CallOptions) =>
    transport.call('getRemittanceReconciliation', { params: { remittance_id: id } }, options),
});

export interface PaymentAdviceQuery extends StatusQuery<PaymentAdvice['status']> {
  readonly payer_reference?: string;
  readonly claim_id?: ClaimId;
}

export const paymentAdvices = (transport: Transport) => ({
  list: (query: PaymentAdviceQuery = {}, options?: CallOptions) =>
    transport.list('listPaymentAdvices', query, options),

  create: (body: PaymentAdviceInput, options?: CallOptions) =>
    transport.call('createPaymentAdvice', { body }, options),

  retrieve: (id: PaymentAdviceId, options?: CallOptions) =>
    transport.call('getPaymentAdvice', { params: { payment_advice_id: id } }, options),

  /** Reads what payers will deduct from later payments. */
  balances: (options?: CallOptions) => transport.call('getPayerBalances', {}, options),
});

export interface SettlementQuery extends StatusQuery<Settlement['status']> {
  readonly remittance_id?: RemittanceId;
  readonly source_reference?: string;
}

export const settlements = (transport: Transport) => ({
  list: (query: SettlementQuery = {}, options?: CallOptions) =>
    transport.list('listSettlements', query, options),

  create: (body: SettlementInput, options?: CallOptions) =>
    transport.call('createSettlement', { body }, options),

  retrieve: (id: SettlementId, options?: CallOptions) =>
    transport.call('getSettlement', { params: { settlement_id: id } }, options),

  reverse: (id: SettlementId, body: ReversalInput, options?: CallOptions) =>
    transport.call('reverseSettlement', { params: { settlement_id: id }, body }, options),
});
