/**
 * SQL that records finished attempts. To prevent deadlocks, endpoints are locked before deliveries, and both in the order of their keys.
 */
import { type Db, type Fragment, jsonb, type Sql, type Tx } from '@carecover/postgres';
import type { Outcome } from '../rules/attempt-outcome';
import { inLockOrder } from './due-deliveries';
import type { EndpointRow } from './endpoints';

export interface FinishedAttempt {
  readonly endpointId: string;
  readonly eventId: string;
  readonly url: string;
  readonly startedAt: Date;
  /** The instant of the attempt in a project with simulated time; null in a project with real time. */
  readonly simulatedAt: Date | null;
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
 * Returns the SQL of tables `finished`, `updated` and `inserted`: it applies `changes` to the deliveries of the finished attempts for which
 * `condition` is true, and inserts these attempts. In both, `d` is the delivery and `t` the attempt.
 */
function recordedAttempts(
  db: Db,
  attempts: readonly FinishedAttempt[],
  { changes, condition }: { readonly changes: Fragment; readonly condition: Fragment },
): Fragment {
  const rows = inLockOrder(attempts).map(
    ({ endpointId, eventId, startedAt, simulatedAt, round, roundAttempts, outcome, retryDelayMs }) => ({
      endpoint_id: endpointId,
      id: eventId,
      started_at: startedAt.toISOString(),
      simulated_at: simulatedAt?.toISOString() ?? null,
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
  return db`
    finished as materialized (
      select r.*, coalesce(r.simulated_at, clock.at) + r.retry_delay_ms * interval '1 millisecond' as next_at
      from jsonb_to_recordset(${jsonb(rows)}::jsonb) as r (
        endpoint_id text, id text, started_at timestamptz, simulated_at timestamptz, round int, round_attempts int, accepted boolean,
        response_status int, duration_ms int, error text, response_excerpt text, retry_delay_ms int)
      cross join (select platform.real_now() as at) clock
    ), updated as (
      update deliveries d set attempts = d.attempts + 1, response_status = t.response_status, ${changes}
      from finished t
      where d.endpoint_id = t.endpoint_id and d.id = t.id and ${condition}
      returning t.*
    ), inserted as (
      insert into attempts (endpoint_id, event_id, started_at, response_status, duration_ms, error, response_excerpt)
      select endpoint_id, id, started_at, response_status, duration_ms, error, response_excerpt from updated
      returning 1)`;
}

/**
 * Inserts those of the finished attempts, at most one per delivery, whose outcome the delivery waits for, and sets the next states of these
 * deliveries. An ended delivery stays ended, also if it stays pending here.
 *
 * @returns the number of inserted attempts; {@link insertOtherAttempts} inserts the others
 */
export async function insertAwaitedAttempts(db: Db, attempts: readonly FinishedAttempt[]): Promise<number> {
  const changes = db`
    round_attempts = t.round_attempts + 1,
    status = case when t.accepted then 'delivered' when t.next_at is null then 'failed' else 'pending' end,
    next_attempt_at = t.next_at, leased_until = null, simulated_at = null`;
  // Exactly the pending deliveries have a next_attempt_at. A condition on their status would permit a plan that reads all pending
  // deliveries of an endpoint.
  const condition = db`d.next_attempt_at is not null and d.round = t.round and d.round_attempts = t.round_attempts`;
  const [row] = await db<{ count: number }[]>`
    with ${recordedAttempts(db, attempts, { changes, condition })} select count(*) as count from inserted`;
  return row?.count ?? 0;
}

/**
 * Inserts finished attempts, at most one per delivery, whose outcome the delivery does not wait for: since the lease, it was delivered, it
 * was set to failed because it ended, it got a new round, or another process recorded an attempt. It keeps its state, but an accepted
 * attempt of the current round delivers it. An attempt that is already inserted is left out: it is the same if it started at the same time.
 */
export async function insertOtherAttempts(tx: Tx, attempts: readonly FinishedAttempt[]): Promise<void> {
  const ordered = inLockOrder(attempts);
  // Another connection can still be recording the same attempt. The next statement sees what it has committed.
  await tx`
    select from deliveries d
    join unnest(${ordered.map(({ endpointId }) => endpointId)}::text[], ${ordered.map(({ eventId }) => eventId)}::text[])
      as r (endpoint_id, id) on r.endpoint_id = d.endpoint_id and r.id = d.id
    order by d.endpoint_id, d.id for update of d`;
  const isDelivered = tx`(t.accepted and d.round = t.round)`;
  const changes = tx`
    status = case when ${isDelivered} then 'delivered' else d.status end,
    next_attempt_at = case when ${isDelivered} then null else d.next_attempt_at end,
    leased_until = case when ${isDelivered} then null else d.leased_until end,
    simulated_at = case when ${isDelivered} then null else d.simulated_at end`;
  const condition = tx`not exists (
    select from attempts a
    where a.endpoint_id = t.endpoint_id and a.event_id = t.id and a.started_at = t.started_at)`;
  await tx`with ${recordedAttempts(tx, attempts, { changes, condition })} select count(*) from inserted`;
}
