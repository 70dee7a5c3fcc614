/**
 * The steps that the claims service executes: its own steps of the claim workflow, all steps of the valuation workflow, and the steps of
 * the remittance workflow with which payments calls claims.
 */
import { type Sql, type StepHandlers, storedTenant, type Tenant } from '@carecover/platform';
import type { CareForClaims, ClaimSteps, PaymentsForClaims } from '@carecover/workflow-claim';
import type { ClaimsForRemittances } from '@carecover/workflow-remittance';
import type { ValuationSteps } from '@carecover/workflow-valuation';
import { commitAdjudication, prepareAdjudication } from './use-cases/adjudicate-claim';
import { commitCancellation, recordReleased } from './use-cases/cancel-claim';
import { lapseInformationRequest } from './use-cases/lapse-information-request';
import { knownClaims, recordRemittance, recordSettlement } from './use-cases/record-remittance';
import { commitInformationRequest } from './use-cases/request-information';
import { commitReversal, prepareReversal } from './use-cases/reverse-claim';
import {
  abandonSubmission,
  commitSubmission,
  dropSubmission,
  prepareSubmission,
} from './use-cases/submit-claim';
import { commitEvidence } from './use-cases/submit-evidence';
import { closeCutoff, computeResult, rollUpMonth } from './use-cases/value-portfolio';
import { viewClaim } from './use-cases/view-claim';

/** Marks the tenant in a step's input as verified, because the gateway verified it before the workflow was started. */
function withTenant<Input extends { readonly tenant: string }>(input: Input): Input & { tenant: Tenant } {
  return { ...input, tenant: storedTenant(input.tenant) };
}

export function claimSteps(
  sql: Sql,
  sessionForClaim: CareForClaims['sessionForClaim'],
  payments: PaymentsForClaims,
): ClaimSteps {
  return {
    loadClaim: (which) => viewClaim(sql, withTenant(which)),
    prepareSubmission: (step, requestId) =>
      prepareSubmission(sql, sessionForClaim, withTenant(step), requestId),
    commitSubmission: (step) => commitSubmission(sql, withTenant(step)),
    abandonSubmission: (step) => abandonSubmission(sql, withTenant(step)),
    dropSubmission: (step) => dropSubmission(sql, withTenant(step)),
    commitInformationRequest: (step) => commitInformationRequest(sql, withTenant(step)),
    commitEvidence: (step) => commitEvidence(sql, withTenant(step)),
    reviewClaim: (which) => lapseInformationRequest(sql, withTenant(which)),
    prepareAdjudication: (step, requestId) => prepareAdjudication(sql, payments, withTenant(step), requestId),
    commitAdjudication: (step) => commitAdjudication(sql, withTenant(step)),
    prepareReversal: (step, requestId) => prepareReversal(sql, payments, withTenant(step), requestId),
    commitReversal: (step) => commitReversal(sql, withTenant(step)),
    commitCancellation: (step) => commitCancellation(sql, withTenant(step)),
    recordReleased: (which) => recordReleased(sql, withTenant(which)),
  };
}

export function valuationSteps(sql: Sql): ValuationSteps {
  return {
    closeCutoff: (run) => closeCutoff(sql, withTenant(run)),
    rollUpMonth: (run) => rollUpMonth(sql, withTenant(run)),
    computeResult: (run) => computeResult(sql, withTenant(run)),
  };
}

/**
 * Creates the steps of the remittance workflow that claims executes.
 *
 * @param notifyReviews called after a commit that changed a claim's status, so that the enqueued signal to its workflow is sent at once
 */
export function claimsForRemittances(
  sql: Sql,
  notifyReviews: () => void,
): StepHandlers<ClaimsForRemittances> {
  return {
    knownClaims: (step) => knownClaims(sql, withTenant(step)),
    recordRemittance: (step) => recordRemittance(sql, withTenant(step)),
    async recordSettlement(step) {
      if (await recordSettlement(sql, withTenant(step))) notifyReviews();
    },
  };
}
