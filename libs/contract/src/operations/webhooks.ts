// The operations of webhook endpoints, their deliveries, and events.

import { Event } from '../events/event';
import { exampleIdentifier } from '../identifiers';
import { WebhookEndpointInput, WebhookEndpointUpdate, WebhookRecoveryInput } from '../inputs/access';
import { EventsQuery, NoQuery, WebhookDeliveriesQuery, WebhookEndpointsQuery } from '../inputs/queries';
import {
  CreatedWebhookEndpoint,
  WebhookDelivery,
  WebhookDeliveryRecord,
  WebhookEndpoint,
  WebhookEndpointWithSecret,
  WebhookRecovery,
} from '../resources/webhook';
import { listOf } from '../schema';
import { defineOperation, NoParams, pathIdentifier, pathParameters } from './definition';

const undelivered: WebhookDelivery = {
  id: exampleIdentifier('event'),
  object: 'webhook_delivery',
  delivered: false,
  attempts: 3,
  response_status: 500,
};

const endpoint = pathParameters({ webhook_endpoint_id: pathIdentifier('webhookEndpoint') });
const delivery = pathParameters({
  webhook_endpoint_id: pathIdentifier('webhookEndpoint'),
  event_id: pathIdentifier('event'),
});
const event = pathParameters({ event_id: pathIdentifier('event') });

const endpointOperations = {
  listWebhookEndpoints: defineOperation({
    method: 'GET',
    path: '/webhook_endpoints',
    tag: 'Webhooks and events',
    summary: 'List webhook endpoints',
    service: 'webhooks',
    scope: 'webhooks:read',
    params: NoParams,
    query: WebhookEndpointsQuery,
    success: [{ status: 200, schema: listOf(WebhookEndpoint) }],
    codes: ['validation_failed'],
    idempotencyKey: 'none',
  }),
  createWebhookEndpoint: defineOperation({
    method: 'POST',
    path: '/webhook_endpoints',
    tag: 'Webhooks and events',
    summary: 'Register a webhook endpoint',
    description:
      'Only the first response contains the signing secret; a replay omits it. A project can have at most 50 active endpoints, unless its settings permit another number.',
    service: 'webhooks',
    scope: 'webhooks:write',
    params: NoParams,
    query: NoQuery,
    body: WebhookEndpointInput,
    success: [{ status: 201, schema: CreatedWebhookEndpoint }],
    codes: ['validation_failed', 'idempotency_conflict', 'webhook_url_not_allowed', 'endpoint_limit_reached'],
    idempotencyKey: 'optional',
    creates: true,
  }),
  getWebhookEndpoint: defineOperation({
    method: 'GET',
    path: '/webhook_endpoints/{webhook_endpoint_id}',
    tag: 'Webhooks and events',
    summary: 'Read a webhook endpoint',
    service: 'webhooks',
    scope: 'webhooks:read',
    params: endpoint,
    query: NoQuery,
    success: [{ status: 200, schema: WebhookEndpoint }],
    codes: ['validation_failed', 'resource_not_found'],
    idempotencyKey: 'none',
  }),
  updateWebhookEndpoint: defineOperation({
    method: 'PATCH',
    path: '/webhook_endpoints/{webhook_endpoint_id}',
    tag: 'Webhooks and events',
    summary: 'Change a webhook endpoint',
    service: 'webhooks',
    scope: 'webhooks:write',
    params: endpoint,
    query: NoQuery,
    body: WebhookEndpointUpdate,
    success: [{ status: 200, schema: WebhookEndpoint }],
    codes: [
      'validation_failed',
      'resource_not_found',
      'idempotency_conflict',
      'webhook_url_not_allowed',
      'endpoint_limit_reached',
    ],
    idempotencyKey: 'optional',
  }),
  disableWebhookEndpoint: defineOperation({
    method: 'DELETE',
    path: '/webhook_endpoints/{webhook_endpoint_id}',
    tag: 'Webhooks and events',
    summary: 'Disable a webhook endpoint',
    description: 'A disabled endpoint can still be read, and can be enabled again.',
    service: 'webhooks',
    scope: 'webhooks:write',
    params: endpoint,
    query: NoQuery,
    success: [{ status: 200, schema: WebhookEndpoint }],
    codes: ['validation_failed', 'resource_not_found', 'idempotency_conflict'],
    idempotencyKey: 'optional',
  }),
  testWebhookEndpoint: defineOperation({
    method: 'POST',
    path: '/webhook_endpoints/{webhook_endpoint_id}/test',
    tag: 'Webhooks and events',
    summary: 'Send a test event to an active endpoint',
    description:
      'Makes up to 3 attempts within 10 seconds. If none is accepted, the response is 502 with the delivery. A disabled endpoint responds 404. Sandbox only.',
    service: 'webhooks',
    scope: 'webhooks:write',
    params: endpoint,
    query: NoQuery,
    success: [{ status: 200, schema: WebhookDelivery }],
    failures: [{ status: 502, schema: WebhookDelivery, example: undelivered }],
    codes: ['validation_failed', 'resource_not_found', 'idempotency_conflict'],
    idempotencyKey: 'optional',
    isLong: true,
    sandboxOnly: true,
  }),
  rotateWebhookSecret: defineOperation({
    method: 'POST',
    path: '/webhook_endpoints/{webhook_endpoint_id}/rotate_secret',
    tag: 'Webhooks and events',
    summary: "Replace an endpoint's signing secret",
    description:
      'Deliveries are also signed with the previous secret for 24 hours, and with at most the newest five secrets. A repeated request creates another secret.',
    service: 'webhooks',
    scope: 'webhooks:write',
    params: endpoint,
    query: NoQuery,
    success: [{ status: 200, schema: WebhookEndpointWithSecret }],
    codes: ['validation_failed', 'resource_not_found', 'endpoint_disabled'],
    idempotencyKey: 'ignored',
  }),
};

const deliveryOperations = {
  listWebhookDeliveries: defineOperation({
    method: 'GET',
    path: '/webhook_endpoints/{webhook_endpoint_id}/deliveries',
    tag: 'Webhooks and events',
    summary: "List an endpoint's deliveries",
    service: 'webhooks',
    scope: 'webhooks:read',
    params: endpoint,
    query: WebhookDeliveriesQuery,
    success: [{ status: 200, schema: listOf(WebhookDeliveryRecord) }],
    codes: ['validation_failed', 'resource_not_found'],
    idempotencyKey: 'none',
  }),
  redeliverEvent: defineOperation({
    method: 'POST',
    path: '/webhook_endpoints/{webhook_endpoint_id}/deliveries/{event_id}/redeliver',
    tag: 'Webhooks and events',
    summary: 'Send an event to an endpoint again',
    description:
      'Starts new attempts, and responds before the first of them: `delivered` is false until one succeeds, and `attempts` and `response_status` are of the attempts so far.',
    service: 'webhooks',
    scope: 'webhooks:write',
    params: delivery,
    query: NoQuery,
    success: [{ status: 202, schema: WebhookDelivery }],
    codes: ['validation_failed', 'resource_not_found', 'idempotency_conflict', 'endpoint_disabled'],
    idempotencyKey: 'optional',
  }),
  recoverWebhookEndpoint: defineOperation({
    method: 'POST',
    path: '/webhook_endpoints/{webhook_endpoint_id}/recover',
    tag: 'Webhooks and events',
    summary: 'Send missed events again',
    description:
      'Sends the events of a period that were not delivered, including those while the endpoint was disabled and those that arrive later.',
    service: 'webhooks',
    scope: 'webhooks:write',
    params: endpoint,
    query: NoQuery,
    body: WebhookRecoveryInput,
    success: [{ status: 202, schema: WebhookRecovery }],
    codes: ['validation_failed', 'resource_not_found', 'idempotency_conflict', 'endpoint_disabled'],
    idempotencyKey: 'optional',
  }),
};

const eventOperations = {
  listEvents: defineOperation({
    method: 'GET',
    path: '/events',
    tag: 'Webhooks and events',
    summary: 'List events',
    service: 'webhooks',
    scope: 'webhooks:read',
    params: NoParams,
    query: EventsQuery,
    success: [{ status: 200, schema: listOf(Event) }],
    codes: ['validation_failed'],
    idempotencyKey: 'none',
  }),
  getEvent: defineOperation({
    method: 'GET',
    path: '/events/{event_id}',
    tag: 'Webhooks and events',
    summary: 'Read an event',
    service: 'webhooks',
    scope: 'webhooks:read',
    params: event,
    query: NoQuery,
    success: [{ status: 200, schema: Event }],
    codes: ['validation_failed', 'resource_not_found'],
    idempotencyKey: 'none',
  }),
};

export const webhooksOperations = { ...endpointOperations, ...deliveryOperations, ...eventOperations };
