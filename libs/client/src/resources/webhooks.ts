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
  /**
   * Lists the endpoints, newest first.
   *
   * @example
   * for await (const { id, url } of carecover.webhookEndpoints.list({ status: 'active' })) console.log(id, url);
   */
  list: (query: StatusQuery<WebhookEndpoint['status']> = {}, options?: CallOptions) =>
    transport.list('listWebhookEndpoints', query, options),

  /**
   * Registers an endpoint. Only the first response contains the signing secret. If that response was lost, the response to the retry has no
   * `signing_secret`: then create a new secret with `rotateSecret`.
   *
   * @example
   * const endpoint = await carecover.webhookEndpoints.create({
   *   url: 'https://example.com/hooks/carecover',
   *   events: ['claim.settled'],
   * });
   */
  create: (body: WebhookEndpointInput, options?: CallOptions) =>
    transport.call('createWebhookEndpoint', { body }, options),

  /**
   * Reads an endpoint.
   *
   * @example
   * const { status } = await carecover.webhookEndpoints.retrieve('whe_0199f2a4');
   */
  retrieve: (id: WebhookEndpointId, options?: CallOptions) =>
    transport.call('getWebhookEndpoint', { params: { webhook_endpoint_id: id } }, options),

  /**
   * Changes the address, the event types or the status of an endpoint. Absent fields keep their values.
   *
   * @example
   * await carecover.webhookEndpoints.update('whe_0199f2a4', { status: 'active' });
   */
  update: (id: WebhookEndpointId, body: WebhookEndpointUpdate, options?: CallOptions) =>
    transport.call('updateWebhookEndpoint', { params: { webhook_endpoint_id: id }, body }, options),

  /**
   * Disables an endpoint. It can be enabled again with `update`.
   *
   * @example
   * await carecover.webhookEndpoints.disable('whe_0199f2a4');
   */
  disable: (id: WebhookEndpointId, options?: CallOptions) =>
    transport.call('disableWebhookEndpoint', { params: { webhook_endpoint_id: id } }, options),

  /**
   * Sends a sandbox.ping event to the endpoint. The result's `delivered` is true if the receiver accepted the event.
   *
   * @example
   * const { delivered } = await carecover.webhookEndpoints.test('whe_0199f2a4');
   */
  test: (id: WebhookEndpointId, options?: CallOptions) =>
    transport.call('testWebhookEndpoint', { params: { webhook_endpoint_id: id } }, options),

  /**
   * Creates a new signing secret. For 24 hours, deliveries are also signed with the old secret.
   *
   * @example
   * const { signing_secret } = await carecover.webhookEndpoints.rotateSecret('whe_0199f2a4');
   */
  rotateSecret: (id: WebhookEndpointId, options?: CallOptions) =>
    transport.call('rotateWebhookSecret', { params: { webhook_endpoint_id: id } }, options),

  /**
   * Lists the deliveries of events to the endpoint with their newest attempts, whose durations are in milliseconds.
   *
   * @example
   * for await (const { id, history } of carecover.webhookEndpoints.deliveries('whe_0199f2a4', { status: 'failed' })) {
   *   console.log(id, history.at(-1)?.duration_ms);
   * }
   */
  deliveries: (
    id: WebhookEndpointId,
    query: StatusQuery<WebhookDeliveryRecord['status']> = {},
    options?: CallOptions,
  ) => transport.list('listWebhookDeliveries', query, options, { webhook_endpoint_id: id }),

  /**
   * Sends the event to the endpoint again. The method `deliveries` lists the attempts.
   *
   * @example
   * await carecover.webhookEndpoints.redeliver('whe_0199f2a4', 'evt_0199f2a4');
   */
  redeliver: (id: WebhookEndpointId, eventId: EventId, options?: CallOptions) =>
    transport.call('redeliverEvent', { params: { webhook_endpoint_id: id, event_id: eventId } }, options),

  /**
   * Sends the undelivered events of a period of at most 30 days again (RFC 3339).
   *
   * @example
   * const { count } = await carecover.webhookEndpoints.recover('whe_0199f2a4', {
   *   since: '2025-03-01T00:00:00Z',
   *   until: '2025-03-08T00:00:00Z',
   * });
   */
  recover: (id: WebhookEndpointId, body: WebhookRecoveryInput, options?: CallOptions) =>
    transport.call('recoverWebhookEndpoint', { params: { webhook_endpoint_id: id }, body }, options),
});

export interface WebhookEndpointsMethods extends ReturnType<typeof webhookEndpoints> {}

export const events = (transport: Transport) => ({
  /**
   * Lists the events that are kept, newest first. The type of an event determines the format of its `data`.
   *
   * @example
   * for await (const event of carecover.events.list({ type: 'claim.settled' })) console.log(event.id, event.data);
   */
  list: (query: EventQuery = {}, options?: CallOptions) => transport.list('listEvents', query, options),

  /**
   * Reads an event.
   *
   * @example
   * const { type, data } = await carecover.events.retrieve('evt_0199f2a4');
   */
  retrieve: (id: EventId, options?: CallOptions) =>
    transport.call('getEvent', { params: { event_id: id } }, options),
});

export interface EventsMethods extends ReturnType<typeof events> {}
