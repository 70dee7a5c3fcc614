/** What others may take from the webhooks service by name. */
export { buildWebhooks, type Seams, startWebhooks } from './build';
export { SETTINGS } from './settings';
export { listParkedMessages, type ParkedMessageRecord, takeParkedMessage } from './store/parked-messages';
