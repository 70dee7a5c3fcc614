/**
 * Records finished attempts: the attempt, the delivery's next state and the endpoint's health, in one transaction. If healthy endpoints
 * accepted all attempts, which is the usual case, it needs no transaction around several statements.
 */
import type { Sql, Tx } from '@carecover/platform';
import { type AttemptResult, evaluateHealth } from '../rules/endpoint-health';
import { disableEndpoint } from '../store/endpoints';
import {
  clearFailures,
  type FinishedAttempt,
  insertAttempts,
  lockFailedEndpoints,
  setFirstFailure,
} from '../store/finished-attempts';

export interface DisabledEndpoint {
  readonly id: string;
  readonly reason: 'gone' | 'failing';
}

/** Records the attempts. Returns the endpoints that were disabled because of them. */
export async function recordAttempts(
  sql: Sql,
  attempts: readonly FinishedAttempt[],
): Promise<readonly DisabledEndpoint[]> {
  if (attempts.every(({ failing, outcome }) => outcome.accepted && !failing)) {
    await clearFailures(sql, attempts);
    for (const batch of batchesOfDistinctDeliveries(attempts)) await insertAttempts(sql, batch);
    return [];
  }
  return sql.begin(async (tx) => {
    const decisions = await updateHealth(tx, attempts);
    for (const batch of batchesOfDistinctDeliveries(attempts)) await insertAttempts(tx, batch);
    const disabled: DisabledEndpoint[] = [];
    for (const { endpoint, disable } of decisions) {
      if (disable === null) continue;
      await disableEndpoint(tx, endpoint.project_id, endpoint.id, disable);
      disabled.push({ id: endpoint.id, reason: disable });
    }
    return disabled;
  });
}

/** Updates the failures of the endpoints. Attempts to a former URL of an endpoint do not count. */
async function updateHealth(tx: Tx, attempts: readonly FinishedAttempt[]) {
  const decisions = [];
  for (const endpoint of await lockFailedEndpoints(tx, attempts)) {
    const results = attempts
      .filter(({ endpointId, url }) => endpointId === endpoint.id && url === endpoint.url)
      .map(({ startedAt, outcome }): AttemptResult => {
        return { endedAt: new Date(startedAt.getTime() + outcome.durationMs), ...outcome };
      });
    if (results.length === 0) continue;
    const { firstFailureAt, disable } = evaluateHealth(
      { firstFailureAt: endpoint.first_failure_at },
      results,
    );
    await setFirstFailure(tx, endpoint, firstFailureAt);
    decisions.push({ endpoint, disable });
  }
  return decisions;
}

/** Splits the attempts into batches with at most one attempt per delivery, because a statement can update a row only once. */
function batchesOfDistinctDeliveries(attempts: readonly FinishedAttempt[]): FinishedAttempt[][] {
  const batches: Map<string, FinishedAttempt>[] = [];
  for (const attempt of attempts) {
    const delivery = `${attempt.endpointId} ${attempt.eventId}`;
    let batch = batches.find((candidate) => !candidate.has(delivery));
    if (batch === undefined) {
      batch = new Map();
      batches.push(batch);
    }
    batch.set(delivery, attempt);
  }
  return batches.map((batch) => [...batch.values()]);
}
