/** Exports of the claims service for tests, benchmarks and the operator CLI. */
export { claimSteps, claimsForRemittances, valuationSteps } from './activities';
export { claimResource } from './resources';
export { claimsHandlers } from './routes/claims';
export { listClaims } from './store/claims-in-full';
export { describeClaim } from './use-cases/describe-claim';
export { sumReceivables } from './use-cases/sum-receivables';
