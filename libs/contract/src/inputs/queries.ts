// Query parameters of lists and of claim valuations.

import { type Static, type TProperties, Type } from 'typebox';
import { eventTypes } from '../events/types';
import { type IdentifierKind, identifier } from '../identifiers';
import { BULK_FILE_LIMIT, MAX_SESSION_MS, PAGE_SIZE } from '../limits';
import { bookingStatuses, sessionStatuses } from '../resources/booking';
import { bulkJobKinds, bulkJobOnErrors, bulkJobResultStatuses, bulkJobStatuses } from '../resources/bulk-job';
import { claimStatuses } from '../resources/claim';
import { paymentAdviceStatuses } from '../resources/payment-advice';
import { sessionFormats } from '../resources/practitioner';
import { preauthorizationStatuses } from '../resources/preauthorization';
import { remittanceStatuses, settlementStatuses } from '../resources/remittance';
import { valuationRunKinds, valuationRunStatuses } from '../resources/valuation-run';
import { webhookDeliveryStatuses, webhookEndpointStatuses } from '../resources/webhook';
import { boundedInteger, boundedString, inputCurrency, inputInstant, stringEnum } from '../schema';

function query<P extends TProperties>(properties: P) {
  return Type.Object(properties, { additionalProperties: false });
}

/** The query of an operation without query parameters. */
export const NoQuery = query({});

/** The query of `GET /`, which ignores all parameters because it never responds 400. */
export const AnyQuery = Type.Object({}, { additionalProperties: true });

const limit = Type.Integer({
  minimum: PAGE_SIZE.min,
  maximum: PAGE_SIZE.max,
  default: PAGE_SIZE.default,
  description: 'The maximum number of items.',
});

function page(kind: IdentifierKind) {
  return {
    limit,
    starting_after: Type.Optional(identifier(kind, 'The identifier of the last item of the previous page.')),
  };
}

const listOrders = ['asc', 'desc'] as const;

const created = {
  created_after: Type.Optional(inputInstant('Return only items created after this instant.')),
  created_before: Type.Optional(inputInstant('Return only items created before this instant.')),
  order: Type.Optional(
    stringEnum(
      'ListOrder',
      listOrders,
      'The order of the items by their creation: asc is oldest first. Absent: desc. Use the same one with starting_after.',
    ),
  ),
};

function status<const V extends readonly string[]>(name: string, values: V) {
  return { status: Type.Optional(stringEnum(name, values, 'Return only items with this status.')) };
}

/** Creates the query parameter that selects the items of a list by the resource to which they refer. */
function reference<const N extends string>(name: N, kind: IdentifierKind, noun: string) {
  const schema = Type.Optional(identifier(kind, `Return only items of this ${noun}.`));
  return { [name]: schema } as { [K in N]: typeof schema };
}

const practitioner = reference('practitioner_id', 'practitioner', 'practitioner');

export const PractitionersQuery = query(page('practitioner'));
export const SlotsQuery = query({
  from: inputInstant('Return only slots that start at or after this instant.', '2099-03-02T00:00:00Z'),
  to: inputInstant(
    'Return only slots that end at or before this instant; at most 31 days after `from`.',
    '2099-03-09T00:00:00Z',
  ),
  duration_minutes: boundedInteger(1, MAX_SESSION_MS / 60_000, 'The length of each slot in minutes.'),
  format: stringEnum('SessionFormat', sessionFormats, 'How the session takes place.'),
  limit,
});
const starts = {
  starts_after: Type.Optional(inputInstant('Return only items that start after this instant.')),
  starts_before: Type.Optional(inputInstant('Return only items that start before this instant.')),
};

export const BookingsQuery = query({
  ...page('booking'),
  ...status('BookingStatus', bookingStatuses),
  ...reference('session_id', 'session', 'session'),
  ...practitioner,
  ...starts,
  ...created,
});
export const SessionsQuery = query({
  ...page('session'),
  ...status('SessionStatus', sessionStatuses),
  external_reference: Type.Optional(
    boundedString(3, 200, 'Return only the recorded session with this reference.'),
  ),
  ...practitioner,
  ...starts,
  ...created,
});
export const PreauthorizationsQuery = query({
  ...page('preauthorization'),
  ...status('PreauthorizationStatus', preauthorizationStatuses),
  ...reference('booking_id', 'booking', 'booking'),
  ...created,
});
export const ClaimsQuery = query({
  ...page('claim'),
  ...status('ClaimStatus', claimStatuses),
  provider_claim_reference: Type.Optional(
    boundedString(3, 200, 'Return only the claim with this reference.'),
  ),
  ...reference('session_id', 'session', 'session'),
  ...reference('preauthorization_id', 'preauthorization', 'pre-authorization'),
  ...practitioner,
  due_before: Type.Optional(
    inputInstant('Return only claims with an open information request that is due before this instant.'),
  ),
  ...created,
});
export const RemittancesQuery = query({
  ...page('remittance'),
  ...status('RemittanceStatus', remittanceStatuses),
  payer_reference: Type.Optional(boundedString(3, 200, 'Return only the remittance with this reference.')),
  claim_id: Type.Optional(identifier('claim', 'Return only remittances with an allocation to this claim.')),
  ...created,
});
export const PaymentAdvicesQuery = query({
  ...page('paymentAdvice'),
  ...status('PaymentAdviceStatus', paymentAdviceStatuses),
  payer_reference: Type.Optional(boundedString(3, 200, 'Return only the advice with this reference.')),
  claim_id: Type.Optional(
    identifier('claim', 'Return only advices that pay, deny or take back an amount of this claim.'),
  ),
  ...created,
});
export const SettlementsQuery = query({
  ...page('settlement'),
  ...status('SettlementStatus', settlementStatuses),
  ...reference('remittance_id', 'remittance', 'remittance'),
  source_reference: Type.Optional(boundedString(3, 200, 'Return only the settlement with this reference.')),
  ...created,
});
export const WebhookEndpointsQuery = query({
  ...page('webhookEndpoint'),
  ...status('WebhookEndpointStatus', webhookEndpointStatuses),
  ...created,
});
export const WebhookDeliveriesQuery = query({
  ...page('event'),
  ...status('WebhookDeliveryStatus', webhookDeliveryStatuses),
  ...created,
});
export const EventsQuery = query({
  ...page('event'),
  type: Type.Optional(stringEnum('EventType', eventTypes, 'Return only events of this type.')),
  ...created,
});

/** The query parameters of any list operation, as stores use them. */
export type ListQuery = Static<typeof PractitionersQuery> & {
  status?: string;
  type?: string;
  created_after?: string;
  created_before?: string;
  order?: (typeof listOrders)[number];
};

export const ValuationQuery = query({
  valuation_at: inputInstant(
    'The cutoff, inclusive; at most 5 seconds in the future. Only facts that were recorded by this instant count (knowledge time).',
    '2025-03-11T00:00:00Z',
  ),
  effective_through: Type.Optional(
    inputInstant(
      'Only facts that took effect by this instant count (business time); not after valuation_at. Absent: valuation_at.',
      '2025-03-10T00:00:00Z',
    ),
  ),
});

export const ValuationRunsQuery = query({
  ...page('valuationRun'),
  ...status('ValuationRunStatus', valuationRunStatuses),
  kind: Type.Optional(stringEnum('ValuationRunKind', valuationRunKinds, 'Return only runs of this kind.')),
  ...created,
});

export const ValuationRunClaimsQuery = query(page('claim'));

export const BulkJobInput = query({
  kind: stringEnum('BulkJobKind', bulkJobKinds, 'What each line of the file is.'),
  on_error: Type.Optional(
    stringEnum(
      'BulkJobOnError',
      bulkJobOnErrors,
      'Whether the job continues or stops after a rejected line. Absent: continue.',
    ),
  ),
  dry_run: Type.Optional(
    stringEnum(
      'BulkJobDryRun',
      ['true', 'false'],
      'Whether the job only decides each line on the facts of now, and writes nothing. Absent: false.',
    ),
  ),
});
export type BulkJobInput = Static<typeof BulkJobInput>;

export const BulkJobsQuery = query({
  ...page('bulkJob'),
  ...status('BulkJobStatus', bulkJobStatuses),
  kind: Type.Optional(stringEnum('BulkJobKind', bulkJobKinds, 'Return only jobs of this kind.')),
  ...created,
});

export const BulkJobResultsQuery = query({
  limit,
  after_line: Type.Optional(
    boundedInteger(0, BULK_FILE_LIMIT.bytes, 'Return only results of lines after this line of the file.'),
  ),
  status: Type.Optional(
    stringEnum('BulkJobResultStatus', bulkJobResultStatuses, 'Return only results with this status.'),
  ),
});

export const ReceivablesQuery = query({
  at: inputInstant('The instant, inclusive; at most 5 seconds in the future.', '2025-03-11T00:00:00Z'),
  currency: Type.Optional(inputCurrency('Return only amounts in this currency.')),
});
