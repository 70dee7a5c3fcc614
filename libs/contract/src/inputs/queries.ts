// Query parameters of lists and of the valuation.
import Type, { type Static, type TProperties } from 'typebox';
import { eventTypes } from '../events/types';
import { type IdentifierKind, identifier } from '../identifiers';
import { PAGE_SIZE } from '../limits';
import { bookingStatuses, sessionStatuses } from '../resources/booking';
import { claimStatuses } from '../resources/claim';
import { preauthorizationStatuses } from '../resources/preauthorization';
import { remittanceStatuses } from '../resources/remittance';
import { webhookDeliveryStatuses, webhookEndpointStatuses } from '../resources/webhook';
import { inputInstant, oneOf } from '../schema';

function query<P extends TProperties>(properties: P) {
  return Type.Object(properties, { additionalProperties: false });
}

/** No parameter at all. */
export const NoQuery = query({});

/** GET / answers no 400, so it overlooks parameters. */
export const AnyQuery = Type.Object({}, { additionalProperties: true });

function page(kind: IdentifierKind) {
  return {
    limit: Type.Integer({
      minimum: PAGE_SIZE.min,
      maximum: PAGE_SIZE.max,
      default: PAGE_SIZE.default,
      description: 'How many at most.',
    }),
    starting_after: Type.Optional(identifier(kind, 'The last identifier of the page before.')),
  };
}

const created = {
  created_after: Type.Optional(inputInstant('Only those created after this.')),
  created_before: Type.Optional(inputInstant('Only those created before this.')),
};

function status<const V extends readonly string[]>(values: V) {
  return { status: Type.Optional(oneOf(values, 'Only those with this status.')) };
}

export const PractitionersQuery = query(page('practitioner'));
export const BookingsQuery = query({ ...page('booking'), ...status(bookingStatuses), ...created });
export const SessionsQuery = query({ ...page('session'), ...status(sessionStatuses), ...created });
export const PreauthorizationsQuery = query({
  ...page('preauthorization'),
  ...status(preauthorizationStatuses),
  ...created,
});
export const ClaimsQuery = query({ ...page('claim'), ...status(claimStatuses), ...created });
export const RemittancesQuery = query({ ...page('remittance'), ...status(remittanceStatuses), ...created });
export const WebhookEndpointsQuery = query({
  ...page('webhookEndpoint'),
  ...status(webhookEndpointStatuses),
  ...created,
});
export const WebhookDeliveriesQuery = query({
  ...page('event'),
  ...status(webhookDeliveryStatuses),
  ...created,
});
export const EventsQuery = query({
  ...page('event'),
  type: Type.Optional(oneOf(eventTypes, 'Only those of this type.')),
  ...created,
});

/** What every list can be asked for, whatever its resource: the parameters as a store needs them. */
export type ListQuery = Static<typeof PractitionersQuery> & {
  status?: string;
  type?: string;
  created_after?: string;
  created_before?: string;
};

export const ValuationQuery = query({
  valuation_at: inputInstant('The cutoff, inclusive; at most 5 seconds ahead.'),
});
