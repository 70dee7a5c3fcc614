/** SQL of recoveries, which start a new round of attempts for the events of a period that an endpoint missed, in batches. */
import { RECOVERY_COUNT_LIMIT, TEST_EVENT_TYPE } from '@carecover/contract';
import { type Db, type Fragment, notifyOnCommit, type Tx } from '@carecover/postgres';
import { DUE_CHANNEL } from './due-deliveries';
import type { EndpointRow } from './endpoints';

/** Maximum number of events that one batch of a recovery reads. */
export const RECOVERY_BATCH = 1_000;

/** A range of events in the order of created_at and ID: those after (`afterAt`, `afterId`) with a created_at before `until`. */
export interface EventRange {
  readonly afterAt: Date;
  readonly afterId: string;
  readonly until: Date;
}

/** The columns of an endpoint by which its events are selected. */
type RecoveringEndpoint = Pick<EndpointRow, 'id' | 'project_id' | 'events' | 'period'>;

function eventsIn(db: Db, endpoint: RecoveringEndpoint, { afterAt, afterId, until }: EventRange) {
  return db`
    from events e
    where e.project_id = ${endpoint.project_id}
      and e.created_at >= ${afterAt} and e.created_at < ${until} and (e.created_at, e.id) > (${afterAt}, ${afterId})`;
}

function isSubscribed(db: Db, endpoint: RecoveringEndpoint) {
  return db`e.type = any(${endpoint.events}) and e.type <> ${TEST_EVENT_TYPE}`;
}

/**
 * Returns the SQL condition that the delivery `d` of a query failed, has ended, or waits for a retry and is not leased.
 *
 * @param hasEnded the SQL condition that the pending delivery has ended
 */
function isMissed(db: Db, hasEnded: Fragment) {
  return db`
    (d.status = 'failed'
     or (d.status = 'pending' and ((d.round_attempts > 0 and d.leased_until is null) or ${hasEnded})))`;
}

/**
 * Recovers the first batch of a range of events for a locked endpoint. Returns the number of recovered events and the remaining range; null
 * if none remains. Deliveries are locked in the order of their keys, which prevents deadlocks.
 */
export async function recoverBatch(
  tx: Tx,
  endpoint: RecoveringEndpoint,
  range: EventRange,
): Promise<{ readonly count: number; readonly remaining: EventRange | null }> {
  const hasEnded = tx`
    exists (select from deliveries_in_full f where f.endpoint_id = d.endpoint_id and f.id = d.id and f.has_ended)`;
  const [batch] = await tx<{ count: number; seen: number; last_at: Date | null; last_id: string | null }[]>`
    with batch as materialized (
      select e.id, e.type, e.project_id, e.created_at ${eventsIn(tx, endpoint, range)}
      order by e.created_at, e.id limit ${RECOVERY_BATCH}
    ), recovered as (
      insert into deliveries as d (id, endpoint_id, project_id, type, created_at, next_attempt_at, simulated_at, period)
      select e.id, ${endpoint.id}, e.project_id, e.type, e.created_at, coalesce(clock.now, platform.real_now()), clock.now,
        ${endpoint.period}::int
      from batch e left join platform.project_clocks clock on clock.project_id = e.project_id
      where ${isSubscribed(tx, endpoint)}
      order by e.id
      on conflict (endpoint_id, id) do update
        set status = 'pending', round = d.round + 1, round_attempts = 0,
            next_attempt_at = excluded.next_attempt_at, leased_until = null, simulated_at = excluded.simulated_at, period = excluded.period
        where ${isMissed(tx, hasEnded)}
      returning 1
    ), last as (select created_at, id from batch order by created_at desc, id desc limit 1)
    select (select count(*) from recovered) as count, (select count(*) from batch) as seen,
           (select created_at from last) as last_at, (select id from last) as last_id`;
  if (batch === undefined) throw new Error('the batch was not counted');
  await notifyOnCommit(tx, DUE_CHANNEL, endpoint.id);
  const { count, seen, last_at, last_id } = batch;
  const isLast = seen < RECOVERY_BATCH || last_at === null || last_id === null;
  return { count, remaining: isLast ? null : { afterAt: last_at, afterId: last_id, until: range.until } };
}

/**
 * Counts the events that an endpoint missed among the first `limit` events of a range. Call it before the endpoint is locked, because other
 * transactions would wait for the count.
 */
export async function countMissed(
  db: Db,
  endpoint: RecoveringEndpoint,
  range: EventRange,
  limit: number = RECOVERY_COUNT_LIMIT,
): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    with counted as materialized (
      select e.id, e.type ${eventsIn(db, endpoint, range)} order by e.created_at, e.id limit ${limit})
    select count(*) as count from counted e
    left join deliveries_in_full d on d.endpoint_id = ${endpoint.id} and d.id = e.id
    where ${isSubscribed(db, endpoint)} and (d.id is null or ${isMissed(db, db`d.has_ended`)})`;
  return row?.count ?? 0;
}

/**
 * Stores the remaining range of a recovery that a sweep continues, for a locked endpoint. If another recovery of the endpoint is unfinished,
 * the range waits for its end. Ranges that wait are combined to one range that contains all of them.
 */
export async function insertRecovery(tx: Tx, endpoint: EndpointRow, remaining: EventRange): Promise<void> {
  await tx`
    insert into recoveries as r (endpoint_id, after_at, after_id, until)
    values (${endpoint.id}, ${remaining.afterAt}, ${remaining.afterId}, ${remaining.until})
    on conflict (endpoint_id) do update
      set next_after_at = least(r.next_after_at, excluded.after_at), next_until = greatest(r.next_until, excluded.until)`;
}

export interface StoredRecovery {
  /** The locked endpoint of the recovery. */
  readonly endpoint: EndpointRow;
  readonly remaining: EventRange;
}

/**
 * Locks an endpoint with a stored recovery, and reads the recovery; undefined if there is none that another transaction does not continue.
 * The intake of events does not wait for the endpoint's lock. The project is chosen at random, and one of its recoveries, so that neither a
 * large recovery nor a project with many delays the others.
 */
export async function lockRecovery(tx: Tx): Promise<StoredRecovery | undefined> {
  const [endpoint] = await tx<EndpointRow[]>`
    with waiting as materialized (
      select r.endpoint_id, e.project_id from recoveries r join endpoints e on e.id = r.endpoint_id
    ), turns as materialized (
      select project_id, random() as turn from (select distinct project_id from waiting) projects
    )
    select e.* from endpoints e join waiting on waiting.endpoint_id = e.id join turns on turns.project_id = e.project_id
    order by turns.turn, random() limit 1 for no key update of e skip locked`;
  if (endpoint === undefined) return undefined;
  const [row] = await tx<{ after_at: Date; after_id: string; until: Date }[]>`
    select after_at, after_id, until from recoveries where endpoint_id = ${endpoint.id}`;
  if (row === undefined) return undefined;
  return { endpoint, remaining: { afterAt: row.after_at, afterId: row.after_id, until: row.until } };
}

/**
 * Stores the remaining range of a recovery that {@link lockRecovery} read. If nothing remains (null), the range that waits follows; without
 * one, the recovery is deleted.
 */
export async function updateRecovery(
  tx: Tx,
  { endpoint: { id } }: StoredRecovery,
  remaining: EventRange | null,
): Promise<void> {
  if (remaining !== null) {
    await tx`
      update recoveries set after_at = ${remaining.afterAt}, after_id = ${remaining.afterId} where endpoint_id = ${id}`;
    return;
  }
  const following = await tx`
    update recoveries
    set after_at = next_after_at, after_id = '', until = next_until, next_after_at = null, next_until = null
    where endpoint_id = ${id} and next_after_at is not null returning 1`;
  if (following.length === 0) await deleteRecovery(tx, id);
}

/** Deletes the unfinished recoveries of a locked endpoint. */
export async function deleteRecovery(tx: Tx, endpointId: string): Promise<void> {
  await tx`delete from recoveries where endpoint_id = ${endpointId}`;
}
