/** Exports of the payments service for tests and the `carecover` CLI. */
export { callsOfClaims, remittanceSteps } from './activities';
export { type AdviceHeader, readAdviceFile } from './advice-files/advice-file';
export { paymentsHandlers } from './build';
export {
  payerBalancesResource,
  paymentAdviceResource,
  reconciliationResource,
  remittanceResource,
  settlementResource,
} from './resources';
export { remittanceIdOf } from './rules/advice';
export { RECONCILIATION_SETTINGS } from './settings';
export { type BankFile, findBankFile } from './settlement-files/bank-file';
export { type CsvForm, csvColumns, csvFormOf } from './settlement-files/csv';
export { isTimeZone } from './settlement-files/local-time';
export {
  findOpenEntry,
  findRecordedPart,
  type ListedPart,
  listOpenEntries,
  type OpenEntry,
} from './store/bank-entries';
export { readTimeZones, setTimeZone } from './store/bank-statements';
export type { EntryDecision } from './store/entry-resolutions';
export { listForwarding } from './store/payer-balances';
export { findPaymentAdvice, listPaymentAdvices } from './store/payment-advices';
export { findReconciliationSnapshot } from './store/reconciliation';
export { findRemittance, listRemittances } from './store/remittances';
export { findSettlement, listSettlements } from './store/settlements';
export { assignUnmatchedRow } from './use-cases/assign-unmatched-row';
export { type ClosedDay, closeDay } from './use-cases/close-day';
export { importPaymentAdvice } from './use-cases/import-advice';
export {
  type IgnoredRow,
  importSettlements,
  type PreviewedEntry,
  type ReportedStatement,
  type SettlementImport,
  settlementFileFormat,
  type UnmatchedRow,
} from './use-cases/import-settlements';
export { resolveEntry } from './use-cases/resolve-entry';
export { readTakebackPlan, takeBackCredit } from './use-cases/take-back-credit';
export { commitWithdrawal } from './use-cases/withdraw-advice';
export {
  type ContinuedVerification,
  continueVerification,
  type Difference,
  resendToClaims,
  type Verification,
  verifyLedger,
} from './verify';
