/** What tests and the command line need of the payments service. */
export { paymentsActivities } from './activities';
export { type PaymentsConfig, paymentsHandlers, startPayments } from './payments';
export { settings } from './settings';
export * from './settlement-files';
export { type Difference, retellClaims, type Verification, verifyLedger } from './verify';
