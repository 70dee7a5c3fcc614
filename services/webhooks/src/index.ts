/** The webhooks service for those who look into what it dead-lettered. */
export {
  type DeadLetteredMessageRecord,
  listDeadLetteredMessages,
  takeDeadLetteredMessage,
} from './store/dead-lettered-messages';
