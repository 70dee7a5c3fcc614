/** The care service for those who test or feed it. */
export { careActivities } from './activities';
export { careHandlers } from './build';
export { CancellationNotification } from './cancellation-notification';
export { type BadRow, type ImportResult, importPractitioners } from './directory/import-practitioners';
