/** Delivers an event to an endpoint again, whatever the state of its delivery is. */
import { type Call, notFound, type Reply, type Sql, writeOnce } from '@carecover/platform';
import { deliveryResource } from '../resources';
import { requireActive } from '../rules/endpoint-status';
import { startNewRound } from '../store/deliveries';
import { lockEndpointBesideIntake } from '../store/endpoints';

/**
 * Starts a new round of attempts of a delivery.
 *
 * @throws ApiError resource_not_found, endpoint_disabled, idempotency_conflict
 */
export function redeliverEvent(sql: Sql, call: Call<'redeliverEvent'>): Promise<Reply> {
  return writeOnce(sql, call, call.replayStatus, async (tx) => {
    const { webhook_endpoint_id, event_id } = call.params;
    const endpoint = await lockEndpointBesideIntake(tx, call.caller, webhook_endpoint_id);
    const delivery = await startNewRound(tx, endpoint, event_id);
    if (delivery === null) throw notFound();
    requireActive(endpoint);
    return { status: 202, body: deliveryResource(delivery), resourceId: event_id };
  });
}
