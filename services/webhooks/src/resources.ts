/** Conversion of database rows of webhooks to the resources of the API. */
import type { WebhookDelivery, WebhookDeliveryRecord, WebhookEndpoint } from '@carecover/contract';
import type { AttemptRow, DeliveryRow } from './store/deliveries';
import type { EndpointRow } from './store/endpoints';

export function endpointResource(row: EndpointRow): WebhookEndpoint {
  return {
    id: row.id,
    object: 'webhook_endpoint',
    url: row.url,
    events: row.events,
    status: row.status,
    created_at: row.created_at.toISOString(),
    disabled_at: row.disabled_at?.toISOString() ?? null,
  };
}

export function deliveryResource(
  row: Pick<DeliveryRow, 'id' | 'status' | 'attempts' | 'response_status'>,
): WebhookDelivery {
  return {
    id: row.id,
    object: 'webhook_delivery',
    delivered: row.status === 'delivered',
    attempts: row.attempts,
    response_status: row.response_status,
  };
}

/**
 * Converts a delivery's row to its API resource with the history of attempts.
 *
 * @param attempts can contain attempts of other deliveries too
 */
export function deliveryRecordResource(
  row: DeliveryRow,
  attempts: readonly AttemptRow[],
): WebhookDeliveryRecord {
  return {
    ...deliveryResource(row),
    endpoint_id: row.endpoint_id,
    type: row.type,
    status: row.status,
    next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
    history: attempts
      .filter((attempt) => attempt.event_id === row.id)
      .map(({ started_at, response_status, duration_ms, error, response_excerpt }) => ({
        at: started_at.toISOString(),
        response_status,
        duration_ms,
        error,
        response_excerpt,
      })),
  };
}
