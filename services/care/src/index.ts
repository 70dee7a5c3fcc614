/** The care service for those who start, test or feed it. */
export { careActivities } from './activities';
export { CancellationNotice } from './cancellation-notice';
export { CARE_SETTINGS, type CareConfig, careHandlers, startCare } from './care';
export { type BadRow, type ImportResult, importPractitioners } from './directory/import-practitioners';
