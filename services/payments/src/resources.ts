/** Conversion of database rows of payments to the resources of the API. */
import type { Remittance, RemittanceReconciliation, Settlement } from '@carecover/contract';
import { reportReconciliation } from './rules/reconciliation-report';
import type { ReconciliationSnapshot } from './store/reconciliation';
import type { RemittanceResourceRow } from './store/remittances';
import { observationOf, type SettlementRow } from './store/settlements';

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

export function reconciliationResource({
  remittance,
  settlements,
  now,
}: ReconciliationSnapshot): RemittanceReconciliation {
  const { id, currency, total, deadline } = remittance;
  const { status, observed, reason, settlementReasons, nextSteps } = reportReconciliation(
    { currency, total, deadline: deadline.getTime() },
    settlements.map((row) => ({ ...observationOf(row), status: row.status })),
    now.getTime(),
  );
  return {
    object: 'remittance_reconciliation',
    remittance_id: id,
    status,
    currency,
    expected: total,
    observed,
    difference: observed === null ? null : observed - total,
    deadline_at: deadline.toISOString(),
    reason,
    settlements: settlements.map((row) => ({
      id: row.id,
      status: row.status,
      amount: { currency: row.currency, observed: row.amount },
      source_reference: row.source_reference,
      reason: settlementReasons.get(row.id) ?? null,
    })),
    next_steps: [...nextSteps],
  };
}
