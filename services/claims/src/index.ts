/** Exports of the claims service for tests, benchmarks and the operator CLI. */
export { claimSteps, claimsForRemittances } from './activities';
export { claimsHandlers } from './routes/claims';
export { findClaimByReference, findClaimOfAnyProject } from './store/claims';
export { describeClaim } from './use-cases/describe-claim';
