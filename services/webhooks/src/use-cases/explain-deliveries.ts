/** Explains to an operator for each endpoint of a project why it did or did not receive an event. */
import type { WebhookDeliveryRecord } from '@carecover/contract';
import type { Tenant } from '@carecover/domain';
import type { Sql } from '@carecover/postgres';
import { deliveryRecordResource } from '../resources';
import { type DeliveryReason, deliveryReason } from '../rules/delivery-reason';
import { findEventDeliveries } from '../store/deliveries';

export interface DeliveryExplanation extends DeliveryReason {
  readonly endpoint_id: string;
  readonly url: string;
  /** The status of the event's delivery to the endpoint; `none` if it has none. */
  readonly status: WebhookDeliveryRecord['status'] | 'none';
  readonly history: WebhookDeliveryRecord['history'];
}

/** Returns the explanation for each endpoint of the project; null if the project has no such event. */
export async function explainDeliveries(
  sql: Sql,
  tenant: Tenant,
  eventId: string,
): Promise<{
  readonly event_id: string;
  readonly type: string;
  readonly created_at: string;
  readonly endpoints: DeliveryExplanation[];
} | null> {
  const found = await findEventDeliveries(sql, tenant, eventId);
  if (found === null) return null;
  const { event, endpoints, deliveries, attempts } = found;
  return {
    event_id: event.id,
    type: event.type,
    created_at: event.created_at.toISOString(),
    endpoints: endpoints.map((endpoint) => {
      const own = attempts.filter(({ endpoint_id }) => endpoint_id === endpoint.id);
      const delivery = deliveries.find(({ endpoint_id }) => endpoint_id === endpoint.id) ?? null;
      return {
        endpoint_id: endpoint.id,
        url: endpoint.url,
        status: delivery?.status ?? 'none',
        ...deliveryReason(event, endpoint, delivery, own.at(-1) ?? null),
        history: delivery === null ? [] : deliveryRecordResource(delivery, own).history,
      };
    }),
  };
}
