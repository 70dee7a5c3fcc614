/**
 * Recovers the events of a period that an endpoint missed: those whose delivery failed or waits for a retry, and those that arrived while
 * the endpoint was disabled, but no events from before the endpoint's creation. A long period is processed in batches of one transaction:
 * the first in the request, the others by a sweep.
 */
import { parseInstant } from '@carecover/contract';
import { type Call, type Reply, type Sql, type Tx, writeOnce } from '@carecover/platform';
import { requireActive } from '../rules/endpoint-status';
import { type EndpointRow, lockEndpoint } from '../store/endpoints';
import { countMissed, insertRecovery, lockRecovery, recoverBatch, updateRecovery } from '../store/recoveries';

/**
 * Starts a recovery, and responds with the number of events that are recovered.
 *
 * @throws ApiError resource_not_found, endpoint_disabled, idempotency_conflict
 */
export function recoverEndpoint(sql: Sql, call: Call<'recoverWebhookEndpoint'>): Promise<Reply> {
  return writeOnce(sql, call, call.replayStatus, async (tx) => {
    const endpoint = await lockEndpoint(tx, call.caller, call.params.webhook_endpoint_id);
    requireActive(endpoint);
    const since = new Date(parseInstant(call.body.since));
    const until = new Date(parseInstant(call.body.until));
    const count = await startRecovery(tx, endpoint, since, until);
    return { status: 202, body: { object: 'webhook_recovery', count }, resourceId: endpoint.id };
  });
}

/**
 * Recovers the first batch of a period for a locked endpoint, and stores the remaining period. Returns the number of events in all batches.
 */
export async function startRecovery(
  tx: Tx,
  endpoint: EndpointRow,
  since: Date,
  until: Date,
): Promise<number> {
  const afterAt = since > endpoint.created_at ? since : endpoint.created_at;
  const { count, remaining } = await recoverBatch(tx, endpoint, { afterAt, afterId: '', until });
  if (remaining === null) return count;
  await insertRecovery(tx, endpoint, remaining);
  return count + (await countMissed(tx, endpoint, remaining));
}

/** Processes one batch of one stored recovery. Returns false if no recovery is stored. A recovery of a disabled endpoint is deleted. */
export function continueRecovery(sql: Sql): Promise<boolean> {
  return sql.begin(async (tx) => {
    const recovery = await lockRecovery(tx);
    if (recovery === undefined) return false;
    const { endpoint, remaining } = recovery;
    const batch = endpoint === undefined ? { remaining: null } : await recoverBatch(tx, endpoint, remaining);
    await updateRecovery(tx, recovery, batch.remaining);
    return true;
  });
}
