// Request bodies for tokens and webhook endpoints.

import { type Static, Type } from 'typebox';
import { eventTypes } from '../events/types';
import { anyIdentifier, exampleIdentifier } from '../identifiers';
import { MAX_WEBHOOK_URL_LENGTH, TOKEN_LIFETIME_SECONDS, TOKEN_RESOURCE_LIMIT } from '../limits';
import { webhookEndpointStatuses } from '../resources/webhook';
import { boundedArray, boundedInteger, closedObject, inputInstant, stringEnum } from '../schema';
import { scopes, WILDCARD_SCOPE } from '../scopes';

export const TokenInput = closedObject(
  'TokenInput',
  'A request for a token for a public client.',
  {
    scopes: boundedArray(
      stringEnum('Scope', [...scopes, WILDCARD_SCOPE], 'A scope.'),
      1,
      scopes.length + 1,
      "The token's scopes: a subset of the key's.",
    ),
    expires_in: boundedInteger(
      TOKEN_LIFETIME_SECONDS.min,
      TOKEN_LIFETIME_SECONDS.max,
      'Lifetime in seconds.',
    ),
    resource_ids: Type.Optional(
      boundedArray(
        anyIdentifier('A resource.'),
        0,
        TOKEN_RESOURCE_LIMIT,
        'If present, the token can use only these resources and cannot create any.',
      ),
    ),
  },
  { scopes: ['bookings:read'], expires_in: 900, resource_ids: [exampleIdentifier('booking')] },
);
export type TokenInput = Static<typeof TokenInput>;

const url = Type.String({
  format: 'uri',
  minLength: 1,
  maxLength: MAX_WEBHOOK_URL_LENGTH,
  description: 'The URL that receives events: an https address on the internet.',
});
const events = boundedArray(
  stringEnum('EventType', eventTypes, 'An event type.'),
  1,
  32,
  'The event types to send.',
);

export const WebhookEndpointInput = closedObject(
  'WebhookEndpointInput',
  'A webhook endpoint to register.',
  { url, events },
  { url: 'https://example.com/hooks/carecover', events: ['preauthorization.approved', 'claim.settled'] },
);
export type WebhookEndpointInput = Static<typeof WebhookEndpointInput>;

export const WebhookEndpointUpdate = closedObject(
  'WebhookEndpointUpdate',
  'Changes of an endpoint. Absent fields keep their values.',
  {
    url: Type.Optional(url),
    events: Type.Optional(events),
    status: Type.Optional(
      stringEnum(
        'WebhookEndpointStatus',
        webhookEndpointStatuses,
        '`active` enables the endpoint; `disabled` disables it.',
      ),
    ),
  },
  { status: 'active' },
);
export type WebhookEndpointUpdate = Static<typeof WebhookEndpointUpdate>;

export const WebhookRecoveryInput = closedObject(
  'WebhookRecoveryInput',
  'A period whose undelivered events are sent again.',
  {
    since: inputInstant('Start of the period, inclusive.'),
    until: inputInstant('End of the period, exclusive; after `since` and at most 30 days later.'),
  },
  { since: '2025-03-01T00:00:00Z', until: '2025-03-08T00:00:00Z' },
);
export type WebhookRecoveryInput = Static<typeof WebhookRecoveryInput>;
