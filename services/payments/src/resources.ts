/** Conversion of database rows of payments to the resources of the API. */
import type {
  PayerBalances,
  PaymentAdvice,
  Remittance,
  RemittanceReconciliation,
  Settlement,
} from '@carecover/contract';
import { adviceIdOf } from './rules/advice';
import { openBalance } from './rules/forwarded-balance';
import { reportReconciliation } from './rules/reconciliation-report';
import { releasedStatus } from './rules/remittance-status';
import type { PayersAdvice } from './store/payer-balances';
import type { AdviceResourceRow } from './store/payment-advices';
import type { ReconciliationSnapshot } from './store/reconciliation';
import type { RemittanceResourceRow } from './store/remittances';
import { observationOf, type SettlementRow } from './store/settlements';

export function remittanceResource(row: RemittanceResourceRow): Remittance {
  return {
    id: row.id,
    object: 'remittance',
    status: releasedStatus(row.status),
    payer_reference: row.payer_reference,
    amount: { currency: row.currency, paid: row.total },
    allocations: row.allocations,
    received_at: row.received_at.toISOString(),
    reconciled_at: row.reconciled_at?.toISOString() ?? null,
  };
}

export function paymentAdviceResource(row: AdviceResourceRow): PaymentAdvice {
  return {
    id: adviceIdOf(row.id),
    object: 'payment_advice',
    status: row.status,
    remittance_id: row.id,
    payer_reference: row.payer_reference,
    payer: row.payer,
    currency: row.currency,
    net: row.net,
    allocations: row.allocations,
    denials: row.denials,
    recoveries: row.recoveries,
    adjustments: row.adjustments,
    received_at: row.received_at.toISOString(),
    reconciled_at: row.reconciled_at?.toISOString() ?? null,
    withdrawn_at: row.withdrawn_at?.toISOString() ?? null,
    withdrawal_reason_code: row.withdrawal_reason_code,
    replaces: row.replaces === null ? null : adviceIdOf(row.replaces),
    replaced_by: row.replaced_by === null ? null : adviceIdOf(row.replaced_by),
  };
}

/** @param advices those that forward or deduct balances, by payer and currency */
export function payerBalancesResource(advices: readonly PayersAdvice[]): PayerBalances {
  const groups = new Map<string, PayersAdvice[]>();
  for (const advice of advices) {
    const key = JSON.stringify([advice.payer_key, advice.currency]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [advice]);
    else group.push(advice);
  }
  const data = [...groups.values()].flatMap((group) => {
    const last = group.at(-1);
    const open = openBalance(group);
    if (last === undefined || open.amount === 0) return [];
    return [{ payer: last.payer, currency: last.currency, to_deduct: open.amount, advices: open.advices }];
  });
  return { object: 'payer_balances', data };
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
  expected,
  now,
}: ReconciliationSnapshot): RemittanceReconciliation {
  const { id, currency, deadline } = remittance;
  const isWithdrawn = remittance.status === 'withdrawn';
  const { status, observed, reason, settlementReasons, nextSteps } = reportReconciliation(
    { currency, expected, deadline: deadline.getTime(), isWithdrawn },
    settlements.map((row) => ({ ...observationOf(row), status: row.status })),
    now.getTime(),
  );
  return {
    object: 'remittance_reconciliation',
    remittance_id: id,
    status,
    currency,
    expected,
    observed,
    difference: observed === null ? null : observed - expected,
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
