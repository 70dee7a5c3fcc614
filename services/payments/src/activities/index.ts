/** The activities of the queue `payments`: local ones of the remittance's workflow, remote ones for the claim's. */
import type { Sql } from '@carecover/platform';
import type { PaymentsForClaims } from '@carecover/workflow-claim';
import type { RemittanceSteps } from '@carecover/workflow-remittance';
import { adviceActivities } from './advice';
import { conclusionActivities } from './conclusion';
import { liabilityActivities } from './liability';
import { observationActivities } from './observation';

/** @param waitMs how long a remittance may wait for its money */
export function paymentsActivities(sql: Sql, waitMs: number): PaymentsForClaims & RemittanceSteps {
  return {
    ...liabilityActivities(sql),
    ...adviceActivities(sql, waitMs),
    ...observationActivities(sql),
    ...conclusionActivities(sql),
  };
}
