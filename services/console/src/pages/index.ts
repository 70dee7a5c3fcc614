/** All pages, acts and downloads of the console, in the order of the menu. */
import type { Act, Download, Page } from '../page';
import { adjudicate, adjudicatePage } from './adjudicate';
import { adjudicateMany, adjudicationQueue } from './adjudication-queue';
import { auditLog } from './audit-log';
import { bankFiles, importBankFile } from './bank-files';
import { bulkJob, bulkJobResults, bulkJobs, cancelBulkJob, continueBulkJob, pauseBulkJob } from './bulk-jobs';
import { executeBulkFile, uploadBulkFile } from './bulk-upload';
import { claim, requestInformation, reverse } from './claim';
import { claims } from './claims';
import { clock, moveClock } from './clock';
import { closeDay, decideRows } from './close-day';
import { createKey, key, keys, revokeKey, rotateKey } from './keys';
import { decide, preauthorization, preauthorizations, revealMember } from './preauthorizations';
import { outstandingClaims, receivables } from './receivables';
import { rejectedCommands } from './rejected-commands';
import { recordSettlement, remittance, remittances, reverseSettlement, withdrawAdvice } from './remittances';
import { search } from './search';
import { changeSettings, settings } from './settings';
import { today } from './today';
import { assignRow, dismissRow, takeBackRow, unmatchedRow } from './unmatched-row';
import { unmatchedRows } from './unmatched-rows';
import { requestRun, valuationRun, valuationRunClaims, valuationRuns } from './valuation-runs';
import {
  enableEndpoint,
  recover,
  redeliver,
  redeliverMany,
  testEndpoint,
  webhookDelivery,
  webhookEndpoint,
  webhooks,
} from './webhooks';

export const PAGES: readonly Page[] = [
  today,
  search,
  adjudicationQueue,
  claims,
  claim,
  adjudicatePage,
  bulkJobs,
  bulkJob,
  preauthorizations,
  preauthorization,
  remittances,
  remittance,
  bankFiles,
  unmatchedRows,
  unmatchedRow,
  closeDay,
  receivables,
  outstandingClaims,
  valuationRuns,
  valuationRun,
  valuationRunClaims,
  webhooks,
  webhookEndpoint,
  webhookDelivery,
  rejectedCommands,
  settings,
  keys,
  key,
  auditLog,
  clock,
];

export const ACTS: readonly Act[] = [
  adjudicate,
  adjudicateMany,
  requestInformation,
  reverse,
  uploadBulkFile,
  executeBulkFile,
  pauseBulkJob,
  continueBulkJob,
  cancelBulkJob,
  decide,
  revealMember,
  recordSettlement,
  reverseSettlement,
  withdrawAdvice,
  importBankFile,
  assignRow,
  dismissRow,
  takeBackRow,
  decideRows,
  requestRun,
  testEndpoint,
  recover,
  redeliver,
  redeliverMany,
  enableEndpoint,
  changeSettings,
  createKey,
  rotateKey,
  revokeKey,
  moveClock,
];

export const DOWNLOADS: readonly Download[] = [bulkJobResults];
