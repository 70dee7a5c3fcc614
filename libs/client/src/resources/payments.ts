/** The client's methods for remittances and settlements. */
import type {
  Remittance,
  RemittanceInput,
  ReversalInput,
  Settlement,
  SettlementInput,
} from '../generated/types.ts';
import type { CallOptions, Transport } from '../transport.ts';
import type { StatusQuery } from './queries.ts';

export interface RemittanceQuery extends StatusQuery<Remittance['status']> {
  readonly payer_reference?: string;
  readonly claim_id?: string;
}

export const remittances = (transport: Transport) => ({
  list: (query: RemittanceQuery = {}, options?: CallOptions) =>
    transport.list('listRemittances', query, options),

  create: (body: RemittanceInput, options?: CallOptions) =>
    transport.call('createRemittance', { body }, options),

  retrieve: (id: string, options?: CallOptions) =>
    transport.call('getRemittance', { params: { remittance_id: id } }, options),

  /** Reads why the remittance is reconciled or not, and which operations would reconcile it. */
  reconciliation: (id: string, options?: CallOptions) =>
    transport.call('getRemittanceReconciliation', { params: { remittance_id: id } }, options),
});

export interface SettlementQuery extends StatusQuery<Settlement['status']> {
  readonly remittance_id?: string;
  readonly source_reference?: string;
}

export const settlements = (transport: Transport) => ({
  list: (query: SettlementQuery = {}, options?: CallOptions) =>
    transport.list('listSettlements', query, options),

  create: (body: SettlementInput, options?: CallOptions) =>
    transport.call('createSettlement', { body }, options),

  retrieve: (id: string, options?: CallOptions) =>
    transport.call('getSettlement', { params: { settlement_id: id } }, options),

  reverse: (id: string, body: ReversalInput, options?: CallOptions) =>
    transport.call('reverseSettlement', { params: { settlement_id: id }, body }, options),
});
