/** The exports of the care service for tests, benchmarks and the CLI. */
export { careActivities } from './activities';
export { careHandlers } from './build';
export { bookingResource, sessionResource } from './resources';
export { findBooking } from './store/bookings';
export { findSessionNow } from './store/sessions';
export { type ImportResult, type InvalidRow, importPractitioners } from './use-cases/import-practitioners';
export { CancellationNotification } from './use-cases/notify-cancellation';
