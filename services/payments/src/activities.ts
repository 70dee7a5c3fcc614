/** The steps of the remittance workflow and of the claim workflow that payments executes. */
import { type Sql, type StepHandlers, storedTenant } from '@carecover/platform';
import type { PaymentsForClaims } from '@carecover/workflow-claim';
import type { RemittanceSteps } from '@carecover/workflow-remittance';
import { concludeRemittance } from './use-cases/conclude-remittance';
import { recordRemittance } from './use-cases/create-remittance';
import { recordSettlement } from './use-cases/create-settlement';
import { openLiability } from './use-cases/open-liability';
import { reverseLiability } from './use-cases/reverse-liability';
import { recordReversal } from './use-cases/reverse-settlement';
import { reviewRemittance } from './use-cases/review-remittance';

/** Returns the tenant of a step's input. The tenant needs no check, because the gateway verified it before the workflow was started. */
const tenantOf = ({ tenant }: { readonly tenant: string }) => storedTenant(tenant);

/**
 * Creates the Temporal activities of payments.
 *
 * @param waitMs time from a remittance's creation to its deadline for settlement, in milliseconds
 */
export function paymentsActivities(
  sql: Sql,
  waitMs: number,
): StepHandlers<PaymentsForClaims> & RemittanceSteps {
  return {
    openLiability: (input) => openLiability(sql, tenantOf(input), input),
    reverseLiability: (input) => reverseLiability(sql, tenantOf(input), input.claimId),
    allocate: (step) => recordRemittance(sql, tenantOf(step), step, waitMs),
    observe: (step) => recordSettlement(sql, tenantOf(step), step),
    reverseObservation: (step) => recordReversal(sql, tenantOf(step), step),
    review: (which) => reviewRemittance(sql, tenantOf(which), which.remittanceId),
    conclude: (step) => concludeRemittance(sql, tenantOf(step), step),
  };
}
