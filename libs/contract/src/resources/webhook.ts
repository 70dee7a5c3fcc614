// Where events are sent, and what became of sending them.
import Type, { type Static } from 'typebox';
import { eventTypes } from '../events/types';
import { exampleIdentifier, identifier } from '../identifiers';
import {
  closedObject,
  count,
  nullable,
  objectName,
  oneOf,
  outputInstant,
  outputItems,
  outputText,
  part,
} from '../schema';

export const webhookEndpointStatuses = ['active', 'disabled'] as const;

export const webhookDeliveryStatuses = ['pending', 'delivered', 'failed'] as const;

const endpointFields = {
  id: identifier('webhookEndpoint', "The endpoint's identifier."),
  object: objectName('webhook_endpoint'),
  url: outputText('Where events are sent.'),
  events: outputItems(oneOf(eventTypes, 'An event type.'), 'The event types that are sent.'),
  status: oneOf(webhookEndpointStatuses, 'Whether events are sent.'),
  created_at: outputInstant('When it was registered.'),
  disabled_at: nullable(outputInstant('Since when it is disabled; null while active.')),
};

const exampleEndpoint = {
  id: exampleIdentifier('webhookEndpoint'),
  object: 'webhook_endpoint',
  url: 'https://example.com/hooks/carecover',
  events: ['preauthorization.approved', 'claim.settled'],
  status: 'active',
  created_at: '2027-02-01T08:00:00.000Z',
  disabled_at: null,
};

export const WebhookEndpoint = closedObject(
  'WebhookEndpoint',
  'An address to which events are sent.',
  endpointFields,
  exampleEndpoint,
);
export type WebhookEndpoint = Static<typeof WebhookEndpoint>;

export const WebhookEndpointWithSecret = closedObject(
  'WebhookEndpointWithSecret',
  'An endpoint with the secret that signs what is sent to it. The secret is shown here and never again.',
  {
    ...endpointFields,
    signing_secret: Type.String({
      pattern: '^whsec_',
      description: 'Signs deliveries, by the Standard Webhooks specification.',
    }),
  },
  { ...exampleEndpoint, signing_secret: 'whsec_RVhBTVBMRS1FWEFNUExFLUVYQU1QTEU=' },
);
export type WebhookEndpointWithSecret = Static<typeof WebhookEndpointWithSecret>;

const responseStatus = () =>
  nullable(
    Type.Integer({
      minimum: 100,
      maximum: 599,
      description: "The receiver's HTTP status; null = no answer.",
    }),
  );

const deliveryFields = {
  id: identifier('event', "The event's identifier."),
  object: objectName('webhook_delivery'),
  delivered: Type.Boolean({ description: 'Whether the receiver accepted it.' }),
  attempts: count('Attempts so far.'),
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
  'What became of sending one event to one endpoint.',
  deliveryFields,
  exampleDelivery,
);
export type WebhookDelivery = Static<typeof WebhookDelivery>;

export const WebhookDeliveryRecord = closedObject(
  'WebhookDeliveryRecord',
  'What became of sending one event to one endpoint, try by try.',
  {
    ...deliveryFields,
    endpoint_id: identifier('webhookEndpoint', 'The endpoint.'),
    type: oneOf(eventTypes, "The event's type."),
    status: oneOf(webhookDeliveryStatuses, 'Pending while tries are left; failed when none is.'),
    next_attempt_at: nullable(outputInstant('When it is tried next; null if it is not.')),
    history: outputItems(
      part('One try.', {
        at: outputInstant('When it started.'),
        response_status: responseStatus(),
        duration_ms: count('How long it took, in milliseconds.'),
        error: nullable(outputText('What went wrong; null if nothing did.')),
        response_excerpt: nullable(outputText("The start of the receiver's answer.")),
      }),
      'The tries, oldest first.',
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
        at: '2027-03-17T10:00:01.000Z',
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
  'How many events a recovery sends again.',
  { object: objectName('webhook_recovery'), count: count('Events that will be sent again.') },
  { object: 'webhook_recovery', count: 12 },
);
export type WebhookRecovery = Static<typeof WebhookRecovery>;
