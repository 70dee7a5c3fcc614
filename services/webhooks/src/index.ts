/** What the CLI uses of the webhooks service: its dead-lettered messages. */
export {
  type DeadLetteredMessageRecord,
  listDeadLetteredMessages,
  takeDeadLetteredMessage,
} from './store/dead-lettered-messages';
