/** SQL of recoveries, which start a new round of attempts for the events of a period that an endpoint missed, in batches. */
import { TEST_EVENT_TYPE } from '@carecover/contract';
import { type Db, notifyOnCommit, type Tx } from '@carecover/platform';
import { DUE_CHANNEL } from './deliveries';
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
type RecoveringEndpoint = Pick<EndpointRow, 'id' | 'project_id' | 'events'>;

function eventsIn(db: Db, endpoint: RecoveringEndpoint, { afterAt, afterId, until }: EventRange) {
  return db`
    from events e
    where e.project_id = ${endpoint.project_id}
      and e.created_at >= ${afterAt} and e.created_at < ${until} and (e.created_at, e.id) > (${afterAt}, ${afterId})`;
}

function isSubscribed(db: Db, endpoint: RecoveringEndpoint) {
  return db`e.type = any(${endpoint.events}) and e.type <> ${TEST_EVENT_TYPE}`;
}

/** Returns the SQL condition that the delivery `d` of a query failed, or waits for a retry and is not leased. */
function isMissed(db: Db) {
  return db`
    (d.status = 'failed' or (d.status = 'pending' and d.round_attempts > 0 and d.due_at = d.next_attempt_at))`;
}

/**
 * Recovers the first batch of a range of events for a locked endpoint. Returns the number of recovered events and the remaining range; null
 * if none remains.
 */
export async function recoverBatch(
  tx: Tx,
  endpoint: RecoveringEndpoint,
  range: EventRange,
): Promise<{ readonly count: number; readonly remaining: EventRange | null }> {
  const [batch] = await tx<{ count: number; seen: number; last_at: Date | null; last_id: string | null }[]>`
    with batch as materialized (
      select e.id, e.type, e.project_id, e.created_at ${eventsIn(tx, endpoint, range)}
      order by e.created_at, e.id limit ${RECOVERY_BATCH}
    ), recovered as (
      insert into deliveries as d (id, endpoint_id, project_id, type, created_at, next_attempt_at, due_at)
      select e.id, ${endpoint.id}, e.project_id, e.type, e.created_at, clock.at, clock.at
      from batch e cross join (select platform.now() as at) clock
      where ${isSubscribed(tx, endpoint)}
      on conflict (endpoint_id, id) do update
        set status = 'pending', round = d.round + 1, round_attempts = 0,
            next_attempt_at = excluded.next_attempt_at, due_at = excluded.due_at
        where ${isMissed(tx)}
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

/** Counts the events of a range that a locked endpoint missed. */
export async function countMissed(tx: Tx, endpoint: RecoveringEndpoint, range: EventRange): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    with subscribed as (select e.id ${eventsIn(tx, endpoint, range)} and ${isSubscribed(tx, endpoint)})
    select count(*) as count from subscribed
    left join deliveries d on d.endpoint_id = ${endpoint.id} and d.id = subscribed.id
    where d.id is null or ${isMissed(tx)}`;
  return row?.count ?? 0;
}

/** Stores the remaining range of a recovery that a sweep continues. */
export async function insertRecovery(tx: Tx, endpoint: EndpointRow, remaining: EventRange): Promise<void> {
  await tx`
    insert into recoveries (endpoint_id, after_at, after_id, until)
    values (${endpoint.id}, ${remaining.afterAt}, ${remaining.afterId}, ${remaining.until})`;
}

export interface StoredRecovery {
  readonly id: number;
  /** The locked endpoint of the recovery; undefined if it was disabled meanwhile. */
  readonly endpoint: EndpointRow | undefined;
  readonly remaining: EventRange;
}

/**
 * Reads and locks one stored recovery and its endpoint. The recovery is chosen at random, so that a large one does not delay the others.
 */
export async function lockRecovery(tx: Tx): Promise<StoredRecovery | undefined> {
  const [row] = await tx<
    { id: number; endpoint_id: string; after_at: Date; after_id: string; until: Date }[]
  >`
    select id, endpoint_id, after_at, after_id, until from recoveries
    order by random() limit 1 for update skip locked`;
  if (row === undefined) return undefined;
  const [endpoint] = await tx<EndpointRow[]>`
    select * from endpoints where id = ${row.endpoint_id} and status = 'active' for update`;
  const remaining = { afterAt: row.after_at, afterId: row.after_id, until: row.until };
  return { id: row.id, endpoint, remaining };
}

/** Stores the remaining range of a recovery that {@link lockRecovery} locked, or deletes the recovery if nothing remains (null). */
export async function updateRecovery(
  tx: Tx,
  { id }: StoredRecovery,
  remaining: EventRange | null,
): Promise<void> {
  if (remaining === null) await tx`delete from recoveries where id = ${id}`;
  else {
    await tx`
      update recoveries set after_at = ${remaining.afterAt}, after_id = ${remaining.afterId} where id = ${id}`;
  }
}
