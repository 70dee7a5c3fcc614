/**
 * The steps of the pre-authorization and claim workflows that benefits executes. Every step is idempotent, because a step runs again after
 * a crash. Failure policy: an API error is final and deletes the command; the workflow retries a step after any other error.
 */
import { type Sql, type StepHandlers, storedTenant } from '@carecover/platform';
import type { BenefitsForClaims } from '@carecover/workflow-claim';
import type {
  CommandStep,
  PreauthorizationIdentity,
  PreauthorizationSteps,
} from '@carecover/workflow-preauthorization';
import { cancelForBooking, cancelPreauthorization } from './use-cases/cancel-preauthorization';
import { abandonDecision, beginDecision, commitDecision } from './use-cases/decide-preauthorization';
import { expirePreauthorization } from './use-cases/expire-preauthorization';
import { releaseFromClaim } from './use-cases/release-from-claim';
import { reviewPreauthorization } from './use-cases/review-preauthorization';
import { useForClaim } from './use-cases/use-for-claim';

/**
 * Converts a workflow's input to the tenant and ID of a pre-authorization. The tenant needs no check, because the gateway verified it
 * before the workflow started.
 */
const identified = ({ tenant, resourceId }: PreauthorizationIdentity) => ({
  tenant: storedTenant(tenant),
  id: resourceId,
});

const commanded = (step: CommandStep) => ({ ...identified(step), commandId: step.commandId });

/** Creates the steps of the pre-authorization workflow that benefits executes. */
export function preauthorizationSteps(sql: Sql): PreauthorizationSteps {
  return {
    review: (which) => {
      const { tenant, id } = identified(which);
      return reviewPreauthorization(sql, tenant, id);
    },
    beginDecision: (step) => beginDecision(sql, commanded(step)),
    commitDecision: (step) => commitDecision(sql, commanded(step)),
    abandonDecision: (step) => abandonDecision(sql, commanded(step)),
    cancel: (step) => cancelPreauthorization(sql, commanded(step)),
    cancelForBooking: (step) => cancelForBooking(sql, commanded(step)),
    expireNow: (step) => expirePreauthorization(sql, commanded(step)),
  };
}

/**
 * Creates the steps of the claim workflow that benefits executes.
 *
 * @param onReviews called after a claim's submission is committed, so that an enqueued signal to the pre-authorization's workflow is sent
 *   at once
 */
export function claimSteps(sql: Sql, onReviews: () => void): StepHandlers<BenefitsForClaims> {
  return {
    async useForClaim(submission) {
      const use = await useForClaim(sql, submission);
      onReviews();
      return use;
    },
    releaseFromClaim: ({ tenant, claimId }) => releaseFromClaim(sql, storedTenant(tenant), claimId),
  };
}

/** Creates all Temporal activities of benefits. */
export function benefitsActivities(
  sql: Sql,
  onReviews: () => void,
): PreauthorizationSteps & StepHandlers<BenefitsForClaims> {
  return { ...preauthorizationSteps(sql), ...claimSteps(sql, onReviews) };
}
