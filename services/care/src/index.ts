/** The care service for those who start, test or feed it. */
export { CARE_SETTINGS, type CareConfig, startCare } from './care';
export { type BadRow, type ImportResult, importPractitioners } from './directory/import-practitioners';
