/** What tests, benchmarks and the CLI use of the claims service. */
export { claimSteps, claimsForRemittances } from './activities';
export { claimsHandlers } from './routes/claims';
export { findClaimByReference, findClaimOfAnyProject } from './store/claims';
export { describeClaim } from './use-cases/describe-claim';
