/** Activities of benefits: the steps of pre-authorizations' workflows and of claims' workflows. */
import type { StepHandlers } from '@carecover/platform';
import type { BenefitsForClaims } from '@carecover/workflow-claim';
import type { PreauthorizationSteps } from '@carecover/workflow-preauthorization';
import { benefitsForClaims, type ClaimsDependencies } from './claims';
import { preauthorizationSteps } from './preauthorization-steps';

/** Creates all activities of benefits. */
export function benefitsActivities(
  deps: ClaimsDependencies,
): PreauthorizationSteps & StepHandlers<BenefitsForClaims> {
  return { ...preauthorizationSteps(deps.sql), ...benefitsForClaims(deps) };
}
