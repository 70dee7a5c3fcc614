/** The client's methods for remittances and settlements. */
import type {
  ClaimId,
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
