/** Webhook endpoints, their deliveries, and events. */
import type {
  Event,
  WebhookDelivery,
  WebhookDeliveryRecord,
  WebhookEndpoint,
  WebhookEndpointInput,
  WebhookEndpointUpdate,
  WebhookEndpointWithSecret,
  WebhookRecovery,
  WebhookRecoveryInput,
} from '../generated/types.ts';
import type { CallOptions, Transport } from '../transport.ts';
import type { CreatedQuery, StatusQuery } from './queries.ts';

export interface EventQuery extends CreatedQuery {
  readonly type?: Event['type'];
}

export const webhookEndpoints = (transport: Transport) => ({
  list: (query: StatusQuery<WebhookEndpoint['status']> = {}, options?: CallOptions) =>
    transport.list<WebhookEndpoint, StatusQuery<WebhookEndpoint['status']>>(
      'listWebhookEndpoints',
      query,
      options,
    ),

  /** The answer alone carries the signing secret. */
  create: (body: WebhookEndpointInput, options?: CallOptions) =>
    transport.call<WebhookEndpointWithSecret>('createWebhookEndpoint', { body }, options),

  retrieve: (id: string, options?: CallOptions) =>
    transport.call<WebhookEndpoint>('getWebhookEndpoint', { params: { webhook_endpoint_id: id } }, options),

  update: (id: string, body: WebhookEndpointUpdate, options?: CallOptions) =>
    transport.call<WebhookEndpoint>(
      'updateWebhookEndpoint',
      { params: { webhook_endpoint_id: id }, body },
      options,
    ),

  disable: (id: string, options?: CallOptions) =>
    transport.call<WebhookEndpoint>(
      'disableWebhookEndpoint',
      { params: { webhook_endpoint_id: id } },
      options,
    ),

  /** Sends sandbox.ping; `delivered` says whether it was accepted. */
  test: (id: string, options?: CallOptions) =>
    transport.call<WebhookDelivery>('testWebhookEndpoint', { params: { webhook_endpoint_id: id } }, options),

  /** The old secret signs too for 24 hours. */
  rotateSecret: (id: string, options?: CallOptions) =>
    transport.call<WebhookEndpointWithSecret>(
      'rotateWebhookSecret',
      { params: { webhook_endpoint_id: id } },
      options,
    ),

  deliveries: (id: string, query: StatusQuery<WebhookDeliveryRecord['status']> = {}, options?: CallOptions) =>
    transport.list<WebhookDeliveryRecord, StatusQuery<WebhookDeliveryRecord['status']>>(
      'listWebhookDeliveries',
      query,
      options,
      { webhook_endpoint_id: id },
    ),

  redeliver: (id: string, eventId: string, options?: CallOptions) =>
    transport.call<WebhookDeliveryRecord>(
      'redeliverEvent',
      { params: { webhook_endpoint_id: id, event_id: eventId } },
      options,
    ),

  recover: (id: string, body: WebhookRecoveryInput, options?: CallOptions) =>
    transport.call<WebhookRecovery>(
      'recoverWebhookEndpoint',
      { params: { webhook_endpoint_id: id }, body },
      options,
    ),
});

export const events = (transport: Transport) => ({
  list: (query: EventQuery = {}, options?: CallOptions) =>
    transport.list<Event, EventQuery>('listEvents', query, options),

  retrieve: (id: string, options?: CallOptions) =>
    transport.call<Event>('getEvent', { params: { event_id: id } }, options),
});
