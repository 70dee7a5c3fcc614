/**
 * The steps of the pre-authorization and claim workflows in benefits. Each is idempotent, because a crash can repeat it. Failure policy: an
 * API error is final and deletes its command; the workflow retries other errors.
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
import { type ClaimsDependencies, releaseFromClaim } from './use-cases/release-from-claim';
import { reviewPreauthorization } from './use-cases/review-preauthorization';
import { useForClaim } from './use-cases/use-for-claim';

/** The input of a workflow comes from a verified caller, so its project is a tenant. */
const identified = ({ tenant, resourceId }: PreauthorizationIdentity) => ({
  tenant: storedTenant(tenant),
  id: resourceId,
});

const commanded = (step: CommandStep) => ({ ...identified(step), commandId: step.commandId });

/** Creates the steps of pre-authorizations' workflows. */
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

/** Creates the steps of claims' workflows. */
export function claimSteps(deps: ClaimsDependencies): StepHandlers<BenefitsForClaims> {
  return {
    useForClaim: (submission) => useForClaim(deps.sql, submission),
    releaseFromClaim: ({ tenant, claimId }) => releaseFromClaim(deps, storedTenant(tenant), claimId),
  };
}

/** Creates all activities of benefits. */
export function benefitsActivities(
  deps: ClaimsDependencies,
): PreauthorizationSteps & StepHandlers<BenefitsForClaims> {
  return { ...preauthorizationSteps(deps.sql), ...claimSteps(deps) };
}
