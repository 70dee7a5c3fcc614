/** What tests and the command line need of the payments service. */
export { paymentsActivities } from './activities';
export { paymentsHandlers } from './build';
export * from './settlement-files';
export { type Difference, resendToClaims, type Verification, verifyLedger } from './verify';
