/** Exports of the webhooks service for benchmarks and the operator CLI: endpoints, deliveries and dead-lettered messages. */
export { withIndexPlansOnly } from './build';
export { deliveryRecordResource, endpointResource } from './resources';
export { deliveryHandlers } from './routes/deliveries';
export { endpointHandlers } from './routes/endpoints';
export {
  type DeadLetteredMessageRecord,
  listDeadLetteredMessages,
  takeDeadLetteredMessage,
} from './store/dead-lettered-messages';
export { attemptsOf, listDeliveries } from './store/deliveries';
export { listEndpoints, readEndpoint } from './store/endpoints';
export { eventsOfResource, readEventPayload } from './store/events';
export { type DeliveryExplanation, explainDeliveries } from './use-cases/explain-deliveries';
export { recoverEndpoint } from './use-cases/recover-endpoint';
export { redeliverEvent } from './use-cases/redeliver-event';
