/** The exports of the payments service for tests and the `carecover` CLI. */
export { paymentsActivities } from './activities';
export { paymentsHandlers } from './build';
export * from './settlement-files';
export { type Difference, resendToClaims, type Verification, verifyLedger } from './verify';
