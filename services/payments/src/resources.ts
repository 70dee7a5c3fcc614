/** The API resources of payments, made from database rows. */
import type { Remittance, Settlement } from '@carecover/contract';
import type { RemittanceResourceRow } from './store/remittances';
import type { SettlementRow } from './store/settlements';

export function remittanceResource(row: RemittanceResourceRow): Remittance {
  return {
    id: row.id,
    object: 'remittance',
    status: row.status,
    payer_reference: row.payer_reference,
    amount: { currency: row.currency, paid: row.total },
    allocations: row.allocations,
    received_at: row.received_at.toISOString(),
    reconciled_at: row.reconciled_at?.toISOString() ?? null,
  };
}

export function settlementResource(row: SettlementRow): Settlement {
  return {
    id: row.id,
    object: 'settlement',
    remittance_id: row.remittance_id,
    source_reference: row.source_reference,
    amount: { currency: row.currency, observed: row.amount },
    allocations: row.allocations,
    status: row.status,
    observed_at: row.observed_at.toISOString(),
    recorded_at: row.created_at.toISOString(),
  };
}
