/**
 * SQL that records finished attempts. To prevent deadlocks, endpoints are locked before deliveries, and both in the order of their keys.
 */
import { type Db, jsonb, type Sql, type Tx } from '@carecover/platform';
import type { Outcome } from '../rules/attempt-outcome';
import { inLockOrder } from './due-deliveries';
import type { EndpointRow } from './endpoints';

export interface FinishedAttempt {
  readonly endpointId: string;
  readonly eventId: string;
  readonly url: string;
  readonly startedAt: Date;
  /** Whether all latest attempts of the endpoint had failed when the delivery was leased. */
  readonly failing: boolean;
  /** The round of the attempt, and in `roundAttempts` the number of earlier attempts of that round, both when the delivery was leased. */
  readonly round: number;
  readonly roundAttempts: number;
  readonly outcome: Outcome;
  /** The delay before the next attempt if this attempt failed, in milliseconds; null if it was the last of the round. */
  readonly retryDelayMs: number | null;
}

/**
 * Clears first_failure_at of the endpoints that accepted an attempt. The column was empty when the deliveries were leased. It has a value
 * only if another process has recorded a failure since then.
 */
export async function clearFailures(sql: Sql, attempts: readonly FinishedAttempt[]): Promise<void> {
  const byUrl = new Map(attempts.map((attempt) => [`${attempt.endpointId} ${attempt.url}`, attempt]));
  const succeeded = [...byUrl.values()];
  await sql`
    with failed as materialized (
      select e.id from endpoints e
      join unnest(${succeeded.map(({ endpointId }) => endpointId)}::text[], ${succeeded.map(({ url }) => url)}::text[])
        as s (id, url) on s.id = e.id and s.url = e.url
      where e.first_failure_at is not null and e.status = 'active'
      order by e.id for no key update of e
    )
    update endpoints e set first_failure_at = null from failed where e.id = failed.id`;
}

/**
 * Reads and locks those active endpoints of the given attempts that have a failed attempt among them, or whose earlier attempts failed. The
 * lock is FOR UPDATE, because the caller can disable an endpoint.
 */
export async function lockFailedEndpoints(
  tx: Tx,
  attempts: readonly FinishedAttempt[],
): Promise<Pick<EndpointRow, 'id' | 'project_id' | 'url' | 'first_failure_at'>[]> {
  const failed = attempts.filter(({ outcome }) => !outcome.accepted).map(({ endpointId }) => endpointId);
  return [
    ...(await tx<Pick<EndpointRow, 'id' | 'project_id' | 'url' | 'first_failure_at'>[]>`
      select id, project_id, url, first_failure_at from endpoints
      where id = any(${attempts.map(({ endpointId }) => endpointId)}::text[]) and status = 'active'
        and (first_failure_at is not null or id = any(${failed}::text[]))
      order by id for update`),
  ];
}

/** Sets the time since which all attempts of a locked endpoint have failed; null clears it. */
export async function setFirstFailure(
  tx: Tx,
  endpoint: Pick<EndpointRow, 'id' | 'project_id'>,
  firstFailureAt: Date | null,
): Promise<void> {
  await tx`
    update endpoints set first_failure_at = ${firstFailureAt}
    where project_id = ${endpoint.project_id} and id = ${endpoint.id}
      and first_failure_at is distinct from ${firstFailureAt}`;
}

/**
 * Inserts finished attempts, at most one per delivery, and updates their deliveries. A delivery keeps its state if, since the lease, it was
 * delivered, it was set to failed because it ended, or it got a new round. An ended delivery stays ended, also if it stays pending here.
 */
export async function insertAttempts(db: Db, attempts: readonly FinishedAttempt[]): Promise<void> {
  const rows = inLockOrder(attempts).map(
    ({ endpointId, eventId, startedAt, round, roundAttempts, outcome, retryDelayMs }) => ({
      endpoint_id: endpointId,
      id: eventId,
      started_at: startedAt.toISOString(),
      round,
      round_attempts: roundAttempts,
      accepted: outcome.accepted,
      response_status: outcome.responseStatus,
      duration_ms: outcome.durationMs,
      error: outcome.error,
      response_excerpt: outcome.excerpt,
      retry_delay_ms: outcome.accepted ? null : retryDelayMs,
    }),
  );
  const accepted = db`(t.accepted and d.round = t.round)`;
  // Whether the delivery waits for the outcome of this attempt, and not for the outcome of a later attempt.
  const awaited = db`(d.status = 'pending' and d.round = t.round and d.round_attempts = t.round_attempts)`;
  await db`
    with finished as materialized (
      select r.*, clock.at + r.retry_delay_ms * interval '1 millisecond' as next_at
      from jsonb_to_recordset(${jsonb(rows)}::jsonb) as r (
        endpoint_id text, id text, started_at timestamptz, round int, round_attempts int, accepted boolean,
        response_status int, duration_ms int, error text, response_excerpt text, retry_delay_ms int)
      cross join (select platform.now() as at) clock
    ), updated as (
      update deliveries d set
        attempts = d.attempts + 1,
        response_status = t.response_status,
        round_attempts = case when ${awaited} then t.round_attempts + 1 else d.round_attempts end,
        status = case when ${accepted} then 'delivered' when not ${awaited} then d.status
                      when t.next_at is null then 'failed' else 'pending' end,
        next_attempt_at = case when ${accepted} then null when ${awaited} then t.next_at else d.next_attempt_at end,
        leased_until = case when ${accepted} or ${awaited} then null else d.leased_until end
      from finished t
      where d.endpoint_id = t.endpoint_id and d.id = t.id
      returning t.*
    )
    insert into attempts (endpoint_id, event_id, started_at, response_status, duration_ms, error, response_excerpt)
    select endpoint_id, id, started_at, response_status, duration_ms, error, response_excerpt from updated`;
}
