/** What others may take from the webhooks service by name. */
export { buildWebhooks } from './build';
export { SETTINGS } from './settings';
