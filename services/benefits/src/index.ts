/** Exports of benefits: the erasure of a member, for the operator CLI, and the parts that benchmarks measure. */
export { callsOfClaims, preauthorizationSteps } from './activities';
export { benefitsHandlers } from './build';
export { eligibilityCheckResource, preauthorizationResource } from './resources';
export { eligibilityCheckHandlers } from './routes/eligibility-checks';
export { findEligibilityCheck } from './store/eligibility-checks';
export { memberReferences } from './store/members';
export { findPayerReferences } from './store/payer-contracts';
export { findPreauthorization } from './store/preauthorizations';
export { eraseMember } from './use-cases/erase-member';
