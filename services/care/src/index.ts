/** What tests, benchmarks and the CLI use of the care service. */
export { careActivities } from './activities';
export { careHandlers } from './build';
export { type ImportResult, type InvalidRow, importPractitioners } from './use-cases/import-practitioners';
export { CancellationNotification } from './use-cases/notify-cancellation';
