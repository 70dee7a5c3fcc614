/** What became of a test event. A success clears the endpoint's record; a failure says nothing that events don't. */
import { TEST_EVENT_TYPE, type WebhookDelivery } from '@carecover/contract';
import type { Tx } from '@carecover/platform';
import type { PingTry } from '../delivery/ping';
import { type DeliveryRow, toDelivery } from './deliveries';
import type { EndpointRow } from './endpoints';

/** Records the tries of a test event that was first tried at `at`; tries of a repetition after a crash are added. */
export async function recordPing(
  tx: Tx,
  endpoint: EndpointRow,
  eventId: string,
  at: Date,
  tries: readonly PingTry[],
): Promise<WebhookDelivery> {
  const last = tries.at(-1)?.outcome;
  const accepted = last?.accepted === true;
  if (accepted) {
    await tx`update endpoints set first_failure_at = null where id = ${endpoint.id} and first_failure_at is not null`;
  }
  const [row] = await tx<DeliveryRow[]>`
    insert into deliveries as d (id, endpoint_id, project_id, type, created_at, status, attempts, response_status)
    values (${eventId}, ${endpoint.id}, ${endpoint.project_id}, ${TEST_EVENT_TYPE}, ${at},
            ${accepted ? 'delivered' : 'failed'}, ${tries.length}, ${last?.responseStatus ?? null})
    on conflict (endpoint_id, id) do update set
      status = excluded.status, attempts = d.attempts + excluded.attempts, response_status = excluded.response_status,
      next_attempt_at = null, due_at = null
    returning *`;
  for (const { afterMs, outcome } of tries) {
    await tx`
      insert into attempts (endpoint_id, event_id, started_at, response_status, duration_ms, error, response_excerpt)
      values (${endpoint.id}, ${eventId}, ${new Date(at.getTime() + afterMs)}, ${outcome.responseStatus},
              ${outcome.durationMs}, ${outcome.error}, ${outcome.excerpt})`;
  }
  if (row === undefined) throw new Error('the delivery was not returned');
  return toDelivery(row);
}
