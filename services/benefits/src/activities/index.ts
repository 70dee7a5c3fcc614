/** Everything that the queue `benefits` does: the steps of a pre-authorization's own workflow, and what claims ask. */
import type { BenefitsForClaims } from '@carecover/workflow-claim';
import type { PreauthorizationSteps } from '@carecover/workflow-preauthorization';
import { benefitsForClaims, type ClaimsDependencies } from './claims';
import { preauthorizationSteps } from './preauthorization-steps';

export function benefitsActivities(deps: ClaimsDependencies): PreauthorizationSteps & BenefitsForClaims {
  return { ...preauthorizationSteps(deps.sql), ...benefitsForClaims(deps) };
}
