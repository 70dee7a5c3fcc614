/**
 * Writes down what became of tries: the try itself, the delivery's new state, and what it says about the endpoint, in
 * one transaction; where healthy endpoints accepted all, which is the rule, in one statement after one that finds nothing to
 * change. Endpoints are locked before deliveries, as everywhere, and deliveries in their order.
 */
import type { Db, Sql, Tx } from '@carecover/platform';
import { evaluateHealth, type HealthDecision, type Verdict } from '../delivery/endpoint-health';
import type { Outcome } from '../delivery/sender';
import { disableEndpoint, type EndpointRow } from './endpoints';
import { inLockOrder } from './lock-order';

export interface FinishedAttempt {
  readonly endpointId: string;
  readonly eventId: string;
  readonly url: string;
  readonly startedAt: Date;
  /** Whether the endpoint had been failing when the try began. */
  readonly failing: boolean;
  /** The round that the try belongs to, and its tries before this one, as the dispatcher that took it saw. */
  readonly round: number;
  readonly roundAttempts: number;
  readonly outcome: Outcome;
  /** Milliseconds until the next try should this one have failed; null where it was the round's last. */
  readonly pauseMs: number | null;
}

/** Gives the endpoints that were disabled by what they answered, with the reason. */
export async function recordAttempts(
  sql: Sql,
  tries: readonly FinishedAttempt[],
): Promise<{ readonly id: string; readonly reason: 'gone' | 'failing' }[]> {
  if (tries.every(({ failing, outcome }) => outcome.accepted && !failing)) {
    await deleteFailures(sql, tries);
    for (const pass of passes(tries)) await insertAttempts(sql, pass);
    return [];
  }
  return sql.begin(async (tx) => {
    const decisions = await evaluateEndpoints(tx, tries);
    for (const pass of passes(tries)) await insertAttempts(tx, pass);
    const disabled: { id: string; reason: 'gone' | 'failing' }[] = [];
    for (const { id, disable } of decisions) {
      if (disable === null) continue;
      await disableEndpoint(tx, id, disable);
      disabled.push({ id, reason: disable });
    }
    return disabled;
  });
}

/** Notes that endpoints succeeded of which another failure was written down while these tries went on. */
async function deleteFailures(sql: Sql, tries: readonly FinishedAttempt[]): Promise<void> {
  const addresses = new Map(tries.map((one) => [`${one.endpointId} ${one.url}`, one]));
  const succeeded = [...addresses.values()];
  await sql`
    with failed as materialized (
      select e.id from endpoints e
      join unnest(${succeeded.map(({ endpointId }) => endpointId)}::text[], ${succeeded.map(({ url }) => url)}::text[])
        as s (id, url) on s.id = e.id and s.url = e.url
      where e.first_failure_at is not null and e.status = 'active'
      order by e.id for update of e
    )
    update endpoints e set first_failure_at = null from failed where e.id = failed.id`;
}

/**
 * Locks the endpoints that failed, or had, and notes how they stand; one that only succeeds is not even written. What an
 * address answered that is no longer the endpoint's says nothing of it.
 */
async function evaluateEndpoints(
  tx: Tx,
  tries: readonly FinishedAttempt[],
): Promise<(HealthDecision & { id: string })[]> {
  const failed = tries.filter(({ outcome }) => !outcome.accepted).map(({ endpointId }) => endpointId);
  const rows = await tx<Pick<EndpointRow, 'id' | 'url' | 'first_failure_at'>[]>`
    select id, url, first_failure_at from endpoints
    where id = any(${tries.map(({ endpointId }) => endpointId)}::text[]) and status = 'active'
      and (first_failure_at is not null or id = any(${failed}::text[]))
    order by id for update`;
  const decisions: (HealthDecision & { id: string })[] = [];
  for (const row of rows) {
    const verdicts = tries
      .filter(({ endpointId, url }) => endpointId === row.id && url === row.url)
      .map(({ startedAt, outcome }): Verdict => {
        return { endedAt: new Date(startedAt.getTime() + outcome.durationMs), ...outcome };
      });
    if (verdicts.length === 0) continue;
    const decision = evaluateHealth({ firstFailureAt: row.first_failure_at }, verdicts);
    await tx`
      update endpoints set first_failure_at = ${decision.firstFailureAt}
      where id = ${row.id} and first_failure_at is distinct from ${decision.firstFailureAt}`;
    decisions.push({ id: row.id, ...decision });
  }
  return decisions;
}

/** The tries in as few parts as leave none with two of one delivery: a statement changes a row once. */
function passes(tries: readonly FinishedAttempt[]): FinishedAttempt[][] {
  const parts: Map<string, FinishedAttempt>[] = [];
  for (const one of tries) {
    const delivery = `${one.endpointId} ${one.eventId}`;
    let part = parts.find((candidate) => !candidate.has(delivery));
    if (part === undefined) {
      part = new Map();
      parts.push(part);
    }
    part.set(delivery, one);
  }
  return parts.map((part) => [...part.values()]);
}

/**
 * A delivery that has meanwhile been delivered, failed by its endpoint's disabling, or begun another round keeps that
 * state; the try is written down all the same.
 */
async function insertAttempts(db: Db, tries: readonly FinishedAttempt[]): Promise<void> {
  const rows = inLockOrder(tries).map(
    ({ endpointId, eventId, startedAt, round, roundAttempts, outcome, pauseMs }) => ({
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
      pause_ms: outcome.accepted ? null : pauseMs,
    }),
  );
  const accepted = db`(t.accepted and d.round = t.round)`;
  // Whether this try is the one that the delivery waits for.
  const awaited = db`(d.status = 'pending' and d.round = t.round and d.round_attempts = t.round_attempts)`;
  await db`
    with tried as materialized (
      select r.*, clock.at + r.pause_ms * interval '1 millisecond' as next_at
      from jsonb_to_recordset(${db.json(rows)}::jsonb) as r (
        endpoint_id text, id text, started_at timestamptz, round int, round_attempts int, accepted boolean,
        response_status int, duration_ms int, error text, response_excerpt text, pause_ms int)
      cross join (select platform.now() as at) clock
    ), moved as (
      update deliveries d set
        attempts = d.attempts + 1,
        response_status = t.response_status,
        round_attempts = case when ${awaited} then t.round_attempts + 1 else d.round_attempts end,
        status = case when ${accepted} then 'delivered' when not ${awaited} then d.status
                      when t.next_at is null then 'failed' else 'pending' end,
        next_attempt_at = case when ${accepted} then null when ${awaited} then t.next_at else d.next_attempt_at end,
        due_at = case when ${accepted} then null when ${awaited} then t.next_at else d.due_at end
      from tried t
      where d.endpoint_id = t.endpoint_id and d.id = t.id
      returning t.*
    )
    insert into attempts (endpoint_id, event_id, started_at, response_status, duration_ms, error, response_excerpt)
    select endpoint_id, id, started_at, response_status, duration_ms, error, response_excerpt from moved`;
}
