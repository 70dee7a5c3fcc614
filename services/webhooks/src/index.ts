/** The webhooks service for those who look into what it parked. */
export { listParkedMessages, type ParkedMessageRecord, takeParkedMessage } from './store/parked-messages';
