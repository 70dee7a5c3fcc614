/**
 * Recovers the events of a period that an endpoint missed: those whose delivery failed or waits for a retry, and those that arrived while
 * the endpoint was disabled, but no events from before the endpoint's creation. Events of a type that was subscribed only later are delivered
 * too, and so are events of the period that arrive later. A
 * long period is processed in batches of one transaction: the first in the request, the others by a sweep.
 */

import { type JsonResponse, requireOwnKey, writeOnce } from '@carecover/commands';
import { parseInstant } from '@carecover/contract';
import type { Call } from '@carecover/http';
import type { Sql, Tx } from '@carecover/postgres';
import { requireActive } from '../rules/endpoint-status';
import {
  acceptLateEvents,
  type EndpointRow,
  lockEndpoint,
  lockEndpointBesideIntake,
  readEndpoint,
} from '../store/endpoints';
import {
  countMissed,
  deleteRecovery,
  type EventRange,
  insertRecovery,
  lockRecovery,
  recoverBatch,
  updateRecovery,
} from '../store/recoveries';

/**
 * Starts a recovery, and responds with the number of events that are recovered.
 *
 * @throws ApiError resource_not_found, endpoint_disabled, idempotency_conflict
 */
export async function recoverEndpoint(sql: Sql, call: Call<'recoverWebhookEndpoint'>): Promise<JsonResponse> {
  const id = call.params.webhook_endpoint_id;
  const since = new Date(parseInstant(call.body.since));
  const until = new Date(parseInstant(call.body.until));
  await requireOwnKey(sql, call);
  // This is a transaction of its own, because its lock makes the intake wait: events that the intake was storing are visible to the
  // recovery afterwards, and later ones are delivered by the intake. A repetition changes nothing more.
  await sql.begin(async (tx) => acceptLateEvents(tx, await lockEndpoint(tx, call.caller, id), since, until));
  return writeOnce(sql, call, call.replayStatus, async (tx) => {
    const found = await readEndpoint(tx, call.caller, id);
    const range = recoveryRange(found, since, until);
    const missed = await countMissed(tx, found, range);
    const endpoint = await lockEndpointBesideIntake(tx, call.caller, id);
    requireActive(endpoint);
    const count = await startRecovery(tx, endpoint, range, missed);
    return { status: 202, body: { object: 'webhook_recovery', count }, resourceId: endpoint.id };
  });
}

/** Returns the range of a period's events that an endpoint can recover: none from before its creation. */
export function recoveryRange(
  { created_at }: Pick<EndpointRow, 'created_at'>,
  since: Date,
  until: Date,
): EventRange {
  return { afterAt: since > created_at ? since : created_at, afterId: '', until };
}

/**
 * Recovers the first batch of a range of events for a locked endpoint, and stores the remaining range.
 *
 * @param missed the number of missed events that was counted before the lock
 * @returns the number of recovered events if no other batch follows; otherwise `missed`, but at least the number in the first batch
 */
export async function startRecovery(
  tx: Tx,
  endpoint: EndpointRow,
  range: EventRange,
  missed: number,
): Promise<number> {
  const { count, remaining } = await recoverBatch(tx, endpoint, range);
  if (remaining === null) return count;
  await insertRecovery(tx, endpoint, remaining);
  return Math.max(count, missed);
}

/** Processes one batch of one stored recovery. Returns false if there is none to continue. A recovery of a disabled endpoint is deleted. */
export function continueRecovery(sql: Sql): Promise<boolean> {
  return sql.begin(async (tx) => {
    const recovery = await lockRecovery(tx);
    if (recovery === undefined) return false;
    const { endpoint } = recovery;
    if (endpoint.status === 'active') {
      const { remaining } = await recoverBatch(tx, endpoint, recovery.remaining);
      await updateRecovery(tx, recovery, remaining);
    } else {
      await deleteRecovery(tx, endpoint.id);
    }
    return true;
  });
}
