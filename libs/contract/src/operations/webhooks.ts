// Webhook endpoints, their deliveries, and events.

import { Event } from '../events/event';
import { exampleIdentifier } from '../identifiers';
import { WebhookEndpointInput, WebhookEndpointUpdate, WebhookRecoveryInput } from '../inputs/access';
import { EventsQuery, NoQuery, WebhookDeliveriesQuery, WebhookEndpointsQuery } from '../inputs/queries';
import { NoParams, operation, path, pathIdentifier } from '../operation';
import {
  WebhookDelivery,
  WebhookDeliveryRecord,
  WebhookEndpoint,
  WebhookEndpointWithSecret,
  WebhookRecovery,
} from '../resources/webhook';
import { listOf } from '../schema';

const undelivered: WebhookDelivery = {
  id: exampleIdentifier('event'),
  object: 'webhook_delivery',
  delivered: false,
  attempts: 3,
  response_status: 500,
};

const endpoint = path({ webhook_endpoint_id: pathIdentifier('webhookEndpoint') });
const delivery = path({
  webhook_endpoint_id: pathIdentifier('webhookEndpoint'),
  event_id: pathIdentifier('event'),
});
const event = path({ event_id: pathIdentifier('event') });

const endpointOperations = {
  listWebhookEndpoints: operation({
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
  createWebhookEndpoint: operation({
    method: 'POST',
    path: '/webhook_endpoints',
    tag: 'Webhooks and events',
    summary: 'Register a webhook endpoint',
    description:
      'The signing secret is in this answer alone; a replay lacks it. A project can have at most 50 active endpoints, unless its settings say otherwise.',
    service: 'webhooks',
    scope: 'webhooks:write',
    params: NoParams,
    query: NoQuery,
    body: WebhookEndpointInput,
    success: [
      { status: 201, schema: WebhookEndpointWithSecret },
      { status: 201, schema: WebhookEndpoint, replay: true },
    ],
    codes: ['validation_failed', 'idempotency_conflict', 'webhook_url_not_allowed', 'endpoint_limit_reached'],
    idempotencyKey: 'optional',
    creates: true,
  }),
  getWebhookEndpoint: operation({
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
  updateWebhookEndpoint: operation({
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
  disableWebhookEndpoint: operation({
    method: 'DELETE',
    path: '/webhook_endpoints/{webhook_endpoint_id}',
    tag: 'Webhooks and events',
    summary: 'Disable a webhook endpoint',
    description: 'It stays readable, and can be opened again.',
    service: 'webhooks',
    scope: 'webhooks:write',
    params: endpoint,
    query: NoQuery,
    success: [{ status: 200, schema: WebhookEndpoint }],
    codes: ['validation_failed', 'resource_not_found', 'idempotency_conflict'],
    idempotencyKey: 'optional',
  }),
  testWebhookEndpoint: operation({
    method: 'POST',
    path: '/webhook_endpoints/{webhook_endpoint_id}/test',
    tag: 'Webhooks and events',
    summary: 'Send a test event to an active endpoint',
    description:
      'Up to 3 tries within 10 seconds; 502 with the delivery if none is accepted. A disabled endpoint is 404. Sandbox only.',
    service: 'webhooks',
    scope: 'webhooks:write',
    params: endpoint,
    query: NoQuery,
    success: [{ status: 200, schema: WebhookDelivery }],
    failures: [{ status: 502, schema: WebhookDelivery, example: undelivered }],
    codes: ['validation_failed', 'resource_not_found', 'idempotency_conflict'],
    idempotencyKey: 'optional',
    sandboxOnly: true,
  }),
  rotateWebhookSecret: operation({
    method: 'POST',
    path: '/webhook_endpoints/{webhook_endpoint_id}/rotate_secret',
    tag: 'Webhooks and events',
    summary: "Replace an endpoint's signing secret",
    description:
      'The secret before signs too for 24 hours; of more than five within that time only the newest five do. A repetition makes another secret.',
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
  listWebhookDeliveries: operation({
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
  redeliverEvent: operation({
    method: 'POST',
    path: '/webhook_endpoints/{webhook_endpoint_id}/deliveries/{event_id}/redeliver',
    tag: 'Webhooks and events',
    summary: 'Send an event to an endpoint again',
    service: 'webhooks',
    scope: 'webhooks:write',
    params: delivery,
    query: NoQuery,
    success: [{ status: 202, schema: WebhookDelivery }],
    codes: ['validation_failed', 'resource_not_found', 'idempotency_conflict', 'endpoint_disabled'],
    idempotencyKey: 'optional',
  }),
  recoverWebhookEndpoint: operation({
    method: 'POST',
    path: '/webhook_endpoints/{webhook_endpoint_id}/recover',
    tag: 'Webhooks and events',
    summary: 'Send again what an endpoint missed',
    description: 'Events of the stretch that were not delivered, those while it was disabled included.',
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
  listEvents: operation({
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
  getEvent: operation({
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
