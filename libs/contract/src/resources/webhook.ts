// Webhook endpoints, and the deliveries of events to them.

import { type Static, Type } from 'typebox';
import { eventTypes } from '../events/types';
import { exampleIdentifier, identifier } from '../identifiers';
import { DELIVERY_HISTORY_LIMIT, RECOVERY_COUNT_LIMIT } from '../limits';
import {
  closedObject,
  inlineObject,
  nullable,
  objectName,
  outputArray,
  outputInstant,
  outputString,
  safeInteger,
  stringEnum,
} from '../schema';

export const webhookEndpointStatuses = ['active', 'disabled'] as const;

export const webhookDeliveryStatuses = ['pending', 'delivered', 'failed'] as const;

const endpointFields = {
  id: identifier('webhookEndpoint', "The endpoint's identifier."),
  object: objectName('webhook_endpoint'),
  url: outputString('The URL that receives events.'),
  events: outputArray(
    stringEnum('EventType', eventTypes, 'An event type.'),
    'The event types that the endpoint receives.',
  ),
  status: stringEnum(
    'WebhookEndpointStatus',
    webhookEndpointStatuses,
    '`active` endpoints receive events; `disabled` endpoints do not.',
  ),
  created_at: outputInstant('When it was registered.'),
  disabled_at: nullable(outputInstant('When it was disabled; null while active.')),
};

const exampleEndpoint = {
  id: exampleIdentifier('webhookEndpoint'),
  object: 'webhook_endpoint',
  url: 'https://example.com/hooks/carecover',
  events: ['preauthorization.approved', 'claim.settled'],
  status: 'active',
  created_at: '2025-02-01T08:00:00.000Z',
  disabled_at: null,
};

export const WebhookEndpoint = closedObject(
  'WebhookEndpoint',
  'A URL that receives events.',
  endpointFields,
  exampleEndpoint,
);
export type WebhookEndpoint = Static<typeof WebhookEndpoint>;

const signingSecret = (when = '') =>
  Type.String({
    pattern: '^whsec_',
    description: `The secret that signs deliveries (Standard Webhooks specification).${when}`,
  });

/** One schema and no choice of two, which several generators of clients can't read. */
export const CreatedWebhookEndpoint = closedObject(
  'CreatedWebhookEndpoint',
  'A created endpoint. Only the first response contains its signing secret.',
  {
    ...endpointFields,
    signing_secret: Type.Optional(
      signingSecret(' Absent in the response to a repeated request: then create another secret.'),
    ),
  },
  { ...exampleEndpoint, signing_secret: 'whsec_RVhBTVBMRS1FWEFNUExFLUVYQU1QTEU=' },
);
export type CreatedWebhookEndpoint = Static<typeof CreatedWebhookEndpoint>;

export const WebhookEndpointWithSecret = closedObject(
  'WebhookEndpointWithSecret',
  'An endpoint with its new signing secret. Only this response contains the secret.',
  { ...endpointFields, signing_secret: signingSecret() },
  { ...exampleEndpoint, signing_secret: 'whsec_RVhBTVBMRS1FWEFNUExFLUVYQU1QTEU=' },
);
export type WebhookEndpointWithSecret = Static<typeof WebhookEndpointWithSecret>;

const responseStatus = () =>
  nullable(
    Type.Integer({
      minimum: 100,
      maximum: 599,
      description: "The HTTP status of the receiver's response; null without a response.",
    }),
  );

const deliveryFields = {
  id: identifier('event', "The event's identifier."),
  object: objectName('webhook_delivery'),
  delivered: Type.Boolean({ description: 'Whether the receiver accepted the event.' }),
  attempts: safeInteger('The number of attempts.'),
  response_status: responseStatus(),
};

const exampleDelivery = {
  id: exampleIdentifier('event'),
  object: 'webhook_delivery',
  delivered: true,
  attempts: 1,
  response_status: 204,
};

export const WebhookDelivery = closedObject(
  'WebhookDelivery',
  'The delivery of one event to one endpoint.',
  deliveryFields,
  exampleDelivery,
);
export type WebhookDelivery = Static<typeof WebhookDelivery>;

export const WebhookDeliveryRecord = closedObject(
  'WebhookDeliveryRecord',
  'The delivery of one event to one endpoint, with its newest attempts.',
  {
    ...deliveryFields,
    endpoint_id: identifier('webhookEndpoint', 'The endpoint.'),
    type: stringEnum('EventType', eventTypes, "The event's type."),
    status: stringEnum(
      'WebhookDeliveryStatus',
      webhookDeliveryStatuses,
      '`pending` while attempts remain, `delivered` after an accepted one, `failed` after the last, or when the endpoint is disabled or no longer subscribed.',
    ),
    next_attempt_at: nullable(outputInstant('When the next attempt is due; null if there is none.')),
    history: outputArray(
      inlineObject('One attempt.', {
        at: outputInstant('When the attempt started.'),
        response_status: responseStatus(),
        duration_ms: safeInteger('The real duration of the attempt, in milliseconds.'),
        error: nullable(outputString('The error of the attempt; null if there was none.')),
        response_excerpt: nullable(outputString("The start of the response's body; null if there is none.")),
      }),
      `The newest attempts, at most ${DELIVERY_HISTORY_LIMIT}, oldest first.`,
    ),
  },
  {
    ...exampleDelivery,
    endpoint_id: exampleIdentifier('webhookEndpoint'),
    type: 'claim.settled',
    status: 'delivered',
    next_attempt_at: null,
    history: [
      {
        at: '2025-03-17T10:00:01.000Z',
        response_status: 204,
        duration_ms: 84,
        error: null,
        response_excerpt: null,
      },
    ],
  },
);
export type WebhookDeliveryRecord = Static<typeof WebhookDeliveryRecord>;

export const WebhookRecovery = closedObject(
  'WebhookRecovery',
  'The result of a recovery request.',
  {
    object: objectName('webhook_recovery'),
    count: safeInteger(
      `The number of events that are sent again. For a period with more than ${RECOVERY_COUNT_LIMIT} events, the number among the first ${RECOVERY_COUNT_LIMIT}.`,
    ),
  },
  { object: 'webhook_recovery', count: 12 },
);
export type WebhookRecovery = Static<typeof WebhookRecovery>;
