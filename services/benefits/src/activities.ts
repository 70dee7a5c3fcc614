/**
 * The steps of the pre-authorization workflow, and the calls of claims to benefits. Every one is idempotent, because it can be repeated.
 * Failure policy: an API error is final; any other error is retried.
 */
import { finishCommand } from '@carecover/commands';
import { storedTenant } from '@carecover/domain';
import type { StepHandlers } from '@carecover/http';
import type { FinishingActivity } from '@carecover/temporal/workflow';
import type { BenefitsForClaims } from '@carecover/workflow-claim';
import type { PreauthorizationSteps } from '@carecover/workflow-preauthorization';
import { checkRecordedClaims } from './use-cases/check-recorded-claims';
import { createEligibilityChecks } from './use-cases/create-eligibility-checks';
import type { PreauthorizationCommandDeps } from './use-cases/preauthorization-command';
import { releaseFromClaim } from './use-cases/release-from-claim';
import { reviewPreauthorization } from './use-cases/review-preauthorization';
import { useForClaim, useForClaims } from './use-cases/use-for-claim';

/**
 * Creates the steps of the pre-authorization workflow. The tenant in a step's input needs no check, because the gateway verified it before
 * the workflow started.
 */
export function preauthorizationSteps(
  deps: PreauthorizationCommandDeps,
): PreauthorizationSteps & FinishingActivity {
  return {
    review: ({ tenant, resourceId }) => reviewPreauthorization(deps.sql, storedTenant(tenant), resourceId),
    finishCommand: ({ tenant, commandId }) =>
      finishCommand(deps.sql, deps.executors, storedTenant(tenant), commandId),
  };
}

/** Creates the handlers of the calls from claims. */
export function callsOfClaims({
  sql,
  notifySignals,
}: Pick<PreauthorizationCommandDeps, 'sql' | 'notifySignals'>): StepHandlers<BenefitsForClaims> {
  return {
    async useForClaim(submission) {
      const use = await useForClaim(sql, submission);
      notifySignals();
      return use;
    },
    async useForClaims(submissions) {
      const uses = await useForClaims(sql, submissions);
      notifySignals();
      return uses;
    },
    checkRecordedClaims: (input) => checkRecordedClaims(sql, input),
    createEligibilityChecks: (input) => createEligibilityChecks(sql, input),
    async releaseFromClaim({ tenant, claimId }) {
      await releaseFromClaim(sql, storedTenant(tenant), claimId);
      notifySignals();
    },
  };
}
