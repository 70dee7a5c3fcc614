/** The client's methods for webhook endpoints, their deliveries, and events. */
import type {
  Event,
  EventId,
  WebhookDeliveryRecord,
  WebhookEndpoint,
  WebhookEndpointId,
  WebhookEndpointInput,
  WebhookEndpointUpdate,
  WebhookRecoveryInput,
} from '../generated/types.ts';
import type { CallOptions, Transport } from '../transport.ts';
import type { CreatedQuery, StatusQuery } from './queries.ts';

export interface EventQuery extends CreatedQuery {
  readonly type?: Event['type'];
}

export const webhookEndpoints = (transport: Transport) => ({
  list: (query: StatusQuery<WebhookEndpoint['status']> = {}, options?: CallOptions) =>
    transport.list('listWebhookEndpoints', query, options),

  /**
   * Registers an endpoint. Only the first response contains the signing secret. If that response was lost, the response to the retry
   * has no `signing_secret`: then create a new secret with `rotateSecret`.
   */
  create: (body: WebhookEndpointInput, options?: CallOptions) =>
    transport.call('createWebhookEndpoint', { body }, options),

  retrieve: (id: WebhookEndpointId, options?: CallOptions) =>
    transport.call('getWebhookEndpoint', { params: { webhook_endpoint_id: id } }, options),

  update: (id: WebhookEndpointId, body: WebhookEndpointUpdate, options?: CallOptions) =>
    transport.call('updateWebhookEndpoint', { params: { webhook_endpoint_id: id }, body }, options),

  disable: (id: WebhookEndpointId, options?: CallOptions) =>
    transport.call('disableWebhookEndpoint', { params: { webhook_endpoint_id: id } }, options),

  /** Sends a sandbox.ping event to the endpoint. The result's `delivered` is true if the receiver accepted the event. */
  test: (id: WebhookEndpointId, options?: CallOptions) =>
    transport.call('testWebhookEndpoint', { params: { webhook_endpoint_id: id } }, options),

  /** Creates a new signing secret. For 24 hours, deliveries are also signed with the old secret. */
  rotateSecret: (id: WebhookEndpointId, options?: CallOptions) =>
    transport.call('rotateWebhookSecret', { params: { webhook_endpoint_id: id } }, options),

  deliveries: (
    id: WebhookEndpointId,
    query: StatusQuery<WebhookDeliveryRecord['status']> = {},
    options?: CallOptions,
  ) => transport.list('listWebhookDeliveries', query, options, { webhook_endpoint_id: id }),

  /** Sends the event to the endpoint again. The method `deliveries` lists the attempts. */
  redeliver: (id: WebhookEndpointId, eventId: EventId, options?: CallOptions) =>
    transport.call('redeliverEvent', { params: { webhook_endpoint_id: id, event_id: eventId } }, options),

  recover: (id: WebhookEndpointId, body: WebhookRecoveryInput, options?: CallOptions) =>
    transport.call('recoverWebhookEndpoint', { params: { webhook_endpoint_id: id }, body }, options),
});

export const events = (transport: Transport) => ({
  list: (query: EventQuery = {}, options?: CallOptions) => transport.list('listEvents', query, options),

  retrieve: (id: EventId, options?: CallOptions) =>
    transport.call('getEvent', { params: { event_id: id } }, options),
});
