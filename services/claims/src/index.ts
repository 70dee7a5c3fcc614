/** Exports of the claims service for tests, benchmarks and the operator CLI. */
export { claimSteps, claimsForPayments, valuationSteps } from './activities';
export { claimResource, runSummaryResource } from './resources';
export { bulkJobHandlers } from './routes/bulk-jobs';
export { claimsHandlers } from './routes/claims';
export { valuationRunHandlers } from './routes/valuation-runs';
export { type Triangle, triangleCsv } from './rules/triangle-csv';
export { listClaims } from './store/claims-in-full';
export { findWaiting } from './store/unfinished-claims';
export { findRun, listRuns } from './store/valuation-runs';
export { type ChangedClaim, comparePortfolio, type PortfolioComparison } from './use-cases/compare-portfolio';
export { createPendingRun } from './use-cases/create-valuation-run';
export { describeClaim } from './use-cases/describe-claim';
export { withExecutors } from './use-cases/executors';
export { getValuationRun } from './use-cases/read-valuation-run';
export { rebuildPortfolio } from './use-cases/rebuild-portfolio';
export { outstandingAt, sumReceivables } from './use-cases/sum-receivables';
export { executeValuationRun } from './use-cases/value-portfolio';
export { verifyValuationRun } from './use-cases/verify-valuation-run';
