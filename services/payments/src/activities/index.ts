/** The workflow steps that payments executes: those of the remittance's workflow and those of the claim's workflow. */
import type { Sql, StepHandlers } from '@carecover/platform';
import type { PaymentsForClaims } from '@carecover/workflow-claim';
import type { RemittanceSteps } from '@carecover/workflow-remittance';
import { adviceActivities } from './advice';
import { conclusionActivities } from './conclusion';
import { liabilityActivities } from './liability';
import { observationActivities } from './observation';

/** @param waitMs time in which a remittance must be settled, in milliseconds */
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
