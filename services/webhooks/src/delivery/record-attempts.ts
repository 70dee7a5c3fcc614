/**
 * Records finished attempts: the attempts, the next states of their deliveries and the health of their endpoints, in one database
 * transaction. If all attempts succeeded and no endpoint was failing, the usual case, separate SQL statements without a transaction are
 * sufficient. A second statement is necessary only for attempts whose outcome the delivery does not wait for, which are few.
 */
import type { Sql, Tx } from '@carecover/postgres';
import { type AttemptResult, evaluateHealth } from '../rules/endpoint-health';
import { disableEndpoint } from '../store/endpoints';
import {
  clearFailures,
  type FinishedAttempt,
  insertAwaitedAttempts,
  insertOtherAttempts,
  lockFailedEndpoints,
  setFirstFailure,
} from '../store/finished-attempts';

export interface DisabledEndpoint {
  readonly id: string;
  readonly reason: 'gone' | 'failing';
}

/**
 * Records finished attempts. Returns the endpoints that were disabled because of the given attempts. An attempt that is already recorded is
 * not counted again: if the response of a commit is lost, the attempts are recorded a second time.
 */
export async function recordAttempts(
  sql: Sql,
  attempts: readonly FinishedAttempt[],
): Promise<readonly DisabledEndpoint[]> {
  if (attempts.every(({ failing, outcome }) => outcome.accepted && !failing)) {
    await clearFailures(sql, attempts);
    for (const batch of batchesOfDistinctDeliveries(attempts)) {
      const count = await insertAwaitedAttempts(sql, batch);
      if (count < batch.length) await sql.begin((tx) => insertOtherAttempts(tx, batch));
    }
    return [];
  }
  return sql.begin(async (tx) => {
    const decisions = await updateHealth(tx, attempts);
    for (const batch of batchesOfDistinctDeliveries(attempts)) {
      const count = await insertAwaitedAttempts(tx, batch);
      if (count < batch.length) await insertOtherAttempts(tx, batch);
    }
    const disabled: DisabledEndpoint[] = [];
    for (const { endpoint, disable, simulatedAt } of decisions) {
      if (disable === null) continue;
      await disableEndpoint(tx, endpoint.project_id, endpoint.id, disable, simulatedAt);
      disabled.push({ id: endpoint.id, reason: disable });
    }
    return disabled;
  });
}

/**
 * Updates for each endpoint the time since which its attempts have failed. Attempts to a URL that an endpoint no longer has are ignored. An
 * attempt of a project with simulated time takes no time.
 */
async function updateHealth(tx: Tx, attempts: readonly FinishedAttempt[]) {
  const decisions = [];
  for (const endpoint of await lockFailedEndpoints(tx, attempts)) {
    const own = attempts.filter(({ endpointId, url }) => endpointId === endpoint.id && url === endpoint.url);
    if (own.length === 0) continue;
    const results = own.map(({ startedAt, simulatedAt, outcome }): AttemptResult => {
      const endedAt = simulatedAt ?? new Date(startedAt.getTime() + outcome.durationMs);
      return { endedAt, ...outcome };
    });
    const { firstFailureAt, disable } = evaluateHealth(
      { firstFailureAt: endpoint.first_failure_at },
      results,
    );
    await setFirstFailure(tx, endpoint, firstFailureAt);
    const last = own.reduce((a, b) => (b.startedAt > a.startedAt ? b : a));
    decisions.push({ endpoint, disable, simulatedAt: last.simulatedAt });
  }
  return decisions;
}

/** Splits attempts into batches with at most one attempt per delivery, because an SQL statement can update a row only once. */
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
