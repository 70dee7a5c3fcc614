/** Delivers an event to an endpoint again, whatever the state of its delivery is. */

import { type JsonResponse, writeOnce } from '@carecover/commands';
import { notFound } from '@carecover/domain';
import type { Call } from '@carecover/http';
import type { Sql } from '@carecover/postgres';
import { deliveryResource } from '../resources';
import { requireActive } from '../rules/endpoint-status';
import { startNewRound } from '../store/deliveries';
import { lockEndpointBesideIntake } from '../store/endpoints';

/**
 * Starts a new round of attempts of a delivery.
 *
 * @throws ApiError resource_not_found, endpoint_disabled, idempotency_conflict
 */
export function redeliverEvent(sql: Sql, call: Call<'redeliverEvent'>): Promise<JsonResponse> {
  return writeOnce(sql, call, call.replayStatus, async (tx) => {
    const { webhook_endpoint_id, event_id } = call.params;
    const endpoint = await lockEndpointBesideIntake(tx, call.caller, webhook_endpoint_id);
    const delivery = await startNewRound(tx, endpoint, event_id);
    if (delivery === null) throw notFound();
    requireActive(endpoint);
    return { status: 202, body: deliveryResource(delivery), resourceId: event_id };
  });
}
