/** Exports of the payments service for tests and the `carecover` CLI. */
export { callsOfClaims, remittanceSteps } from './activities';
export { paymentsHandlers } from './build';
export { reconciliationResource, remittanceResource, settlementResource } from './resources';
export { findReconciliationFacts } from './store/reconciliation';
export { findRemittance, listRemittances } from './store/remittances';
export { findSettlement, listSettlements } from './store/settlements';
export { dismissUnmatchedRow, findUnmatchedRow, listUnmatchedRows } from './store/unmatched-rows';
export { assignUnmatchedRow } from './use-cases/assign-unmatched-row';
export {
  importSettlements,
  type SettlementImport,
  settlementFileFormat,
  type UnmatchedRow,
} from './use-cases/import-settlements';
export {
  type ContinuedVerification,
  continueVerification,
  type Difference,
  resendToClaims,
  type Verification,
  verifyLedger,
} from './verify';
