/** The steps of workflows in payments: a remittance's own, and those of claims' workflows. */
import type { Sql, StepHandlers } from '@carecover/platform';
import type { PaymentsForClaims } from '@carecover/workflow-claim';
import type { RemittanceSteps } from '@carecover/workflow-remittance';
import { adviceActivities } from './advice';
import { conclusionActivities } from './conclusion';
import { liabilityActivities } from './liability';
import { observationActivities } from './observation';

/** @param waitMs how long a remittance may wait for its money */
export function paymentsActivities(
  sql: Sql,
  waitMs: number,
): StepHandlers<PaymentsForClaims> & RemittanceSteps {
  return {
    ...liabilityActivities(sql),
    ...adviceActivities(sql, waitMs),
    ...observationActivities(sql),
    ...conclusionActivities(sql),
  };
}
