/** The step of the remittance workflow, and the calls of claims to payments. */

import { storedTenant } from '@carecover/domain';
import type { StepHandlers } from '@carecover/http';
import type { PaymentsForClaims } from '@carecover/workflow-claim';
import type { RemittanceSteps } from '@carecover/workflow-remittance';
import { createRemittanceOfLine, createSettlementOfLine } from './use-cases/create-from-line';
import type { RemittanceDeps } from './use-cases/deliver-notifications';
import { openLiabilities, openLiability } from './use-cases/open-liability';
import type { CreationDeps } from './use-cases/record-advice';
import { reverseLiability } from './use-cases/reverse-liability';
import { reviewRemittance } from './use-cases/review-remittance';

/** Returns the tenant of a step's input. The tenant needs no check, because the gateway verified it before. */
const tenantOf = ({ tenant }: { readonly tenant: string }) => storedTenant(tenant);

/** Creates the activities of payments. */
export function remittanceSteps(deps: Pick<RemittanceDeps, 'sql' | 'claims'>): RemittanceSteps {
  return { review: (which) => reviewRemittance(deps, tenantOf(which), which.remittanceId) };
}

/** Creates the handlers of the calls from claims. */
export function callsOfClaims(deps: CreationDeps): StepHandlers<PaymentsForClaims> {
  const { sql } = deps;
  return {
    openLiability: (input) => openLiability(sql, tenantOf(input), input),
    openLiabilities: (input) => openLiabilities(sql, tenantOf(input), input.liabilities),
    reverseLiability: (input) => reverseLiability(sql, tenantOf(input), input.claimId),
    createRemittance: (input) => createRemittanceOfLine(deps, input),
    createSettlement: (input) => createSettlementOfLine(deps, input),
  };
}
