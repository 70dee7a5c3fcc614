// What is sent to obtain a token and to look after webhook endpoints.
import Type, { type Static } from 'typebox';
import { eventTypes } from '../events/types';
import { anyIdentifier, exampleIdentifier } from '../identifiers';
import { MAX_WEBHOOK_URL_LENGTH, TOKEN_LIFETIME_SECONDS, TOKEN_RESOURCE_LIMIT } from '../limits';
import { webhookEndpointStatuses } from '../resources/webhook';
import { closedObject, inputInstant, integer, items, oneOf } from '../schema';
import { scopes, WILDCARD_SCOPE } from '../scopes';

export const TokenInput = closedObject(
  'TokenInput',
  'A token for a public client.',
  {
    scopes: items(
      oneOf([...scopes, WILDCARD_SCOPE], 'A scope.'),
      1,
      scopes.length + 1,
      "What it may do: a part of the key's scopes.",
    ),
    expires_in: integer(TOKEN_LIFETIME_SECONDS.min, TOKEN_LIFETIME_SECONDS.max, 'Lifetime in seconds.'),
    resource_ids: Type.Optional(
      items(
        anyIdentifier('A resource.'),
        0,
        TOKEN_RESOURCE_LIMIT,
        'If given, it reaches these resources alone and creates none.',
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
  description: 'Where to send events: an https address on the internet.',
});
const events = items(oneOf(eventTypes, 'An event type.'), 1, 32, 'The event types to send.');

export const WebhookEndpointInput = closedObject(
  'WebhookEndpointInput',
  'An address to which events are to be sent.',
  { url, events },
  { url: 'https://example.com/hooks/carecover', events: ['preauthorization.approved', 'claim.settled'] },
);
export type WebhookEndpointInput = Static<typeof WebhookEndpointInput>;

export const WebhookEndpointUpdate = closedObject(
  'WebhookEndpointUpdate',
  'What to change of an endpoint; what is absent stays.',
  {
    url: Type.Optional(url),
    events: Type.Optional(events),
    status: Type.Optional(
      oneOf(webhookEndpointStatuses, '`active` opens a disabled endpoint again; `disabled` closes it.'),
    ),
  },
  { status: 'active' },
);
export type WebhookEndpointUpdate = Static<typeof WebhookEndpointUpdate>;

export const WebhookRecoveryInput = closedObject(
  'WebhookRecoveryInput',
  'A stretch of time whose undelivered events are to be sent again.',
  {
    since: inputInstant('Start of the stretch, inclusive.'),
    until: inputInstant('End of the stretch, exclusive; after its start and at most 30 days later.'),
  },
  { since: '2027-03-01T00:00:00Z', until: '2027-03-08T00:00:00Z' },
);
export type WebhookRecoveryInput = Static<typeof WebhookRecoveryInput>;
