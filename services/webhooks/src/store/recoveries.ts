/**
 * Recovery: a new round of tries of everything that an endpoint should have got of what happened in a span of time and has
 * not: what failed, what came while it was disabled, and what waits for a retry. What happened before it was registered it
 * has not missed.
 *
 * A large span goes in batches, each a transaction that also says how far it has come: the first one within the request,
 * the others by a sweep, whatever dies between them.
 */
import { TEST_EVENT_TYPE } from '@carecover/contract';
import { type Db, notifyOnCommit, type Sql, type Tx } from '@carecover/platform';
import { DUE_CHANNEL } from './deliveries';
import type { EndpointRow } from './endpoints';

/** Events looked at in one transaction. */
export const RECOVERY_BATCH = 1_000;

/** Events after (`afterAt`, `afterId`), by created_at and id, and before `until`. */
interface Span {
  readonly afterAt: Date;
  readonly afterId: string;
  readonly until: Date;
}

/** What an endpoint can have missed. */
type Recovering = Pick<EndpointRow, 'id' | 'project_id' | 'events'>;

function eventsIn(db: Db, endpoint: Recovering, { afterAt, afterId, until }: Span) {
  return db`
    from events e
    where e.project_id = ${endpoint.project_id}
      and e.created_at >= ${afterAt} and e.created_at < ${until} and (e.created_at, e.id) > (${afterAt}, ${afterId})`;
}

function isWanted(db: Db, endpoint: Recovering) {
  return db`e.type = any(${endpoint.events}) and e.type <> ${TEST_EVENT_TYPE}`;
}

/** Of a delivery `d`: it failed, or waits for a retry that nobody is making now. */
function isMissed(db: Db) {
  return db`
    (d.status = 'failed' or (d.status = 'pending' and d.round_attempts > 0 and d.due_at = d.next_attempt_at))`;
}

/** Recovers the first batch of the span, of an endpoint whose row is locked; gives how many, and what is left. */
async function recoverBatch(
  tx: Tx,
  endpoint: Recovering,
  span: Span,
): Promise<{ readonly count: number; readonly left: Span | null }> {
  const [batch] = await tx<{ count: number; seen: number; last_at: Date | null; last_id: string | null }[]>`
    with seen as materialized (
      select e.id, e.type, e.project_id, e.created_at ${eventsIn(tx, endpoint, span)}
      order by e.created_at, e.id limit ${RECOVERY_BATCH}
    ), recovered as (
      insert into deliveries as d (id, endpoint_id, project_id, type, created_at, next_attempt_at, due_at)
      select e.id, ${endpoint.id}, e.project_id, e.type, e.created_at, clock.at, clock.at
      from seen e cross join (select platform.now() as at) clock
      where ${isWanted(tx, endpoint)}
      on conflict (endpoint_id, id) do update
        set status = 'pending', round = d.round + 1, round_attempts = 0,
            next_attempt_at = excluded.next_attempt_at, due_at = excluded.due_at
        where ${isMissed(tx)}
      returning 1
    ), last as (select created_at, id from seen order by created_at desc, id desc limit 1)
    select (select count(*) from recovered) as count, (select count(*) from seen) as seen,
           (select created_at from last) as last_at, (select id from last) as last_id`;
  if (batch === undefined) throw new Error('the batch was not counted');
  await notifyOnCommit(tx, DUE_CHANNEL, endpoint.id);
  const { count, seen, last_at, last_id } = batch;
  const isLast = seen < RECOVERY_BATCH || last_at === null || last_id === null;
  return { count, left: isLast ? null : { afterAt: last_at, afterId: last_id, until: span.until } };
}

async function countMissed(tx: Tx, endpoint: Recovering, span: Span): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    with wanted as (select e.id ${eventsIn(tx, endpoint, span)} and ${isWanted(tx, endpoint)})
    select count(*) as count from wanted
    left join deliveries d on d.endpoint_id = ${endpoint.id} and d.id = wanted.id
    where d.id is null or ${isMissed(tx)}`;
  return row?.count ?? 0;
}

/** Begins the recovery of what happened from `since` up to `until`, of an endpoint whose row is locked; gives how many. */
export async function recoverMissed(
  tx: Tx,
  endpoint: EndpointRow,
  since: Date,
  until: Date,
): Promise<number> {
  const afterAt = since > endpoint.created_at ? since : endpoint.created_at;
  const { count, left } = await recoverBatch(tx, endpoint, { afterAt, afterId: '', until });
  if (left === null) return count;
  await tx`
    insert into recoveries (endpoint_id, after_at, after_id, until)
    values (${endpoint.id}, ${left.afterAt}, ${left.afterId}, ${left.until})`;
  return count + (await countMissed(tx, endpoint, left));
}

/**
 * Goes on with one recovery that is not done, by a batch; gives whether there was one. An endpoint disabled meanwhile
 * recovers no further, as what it awaited has failed.
 */
export async function continueRecovery(sql: Sql): Promise<boolean> {
  return sql.begin(async (tx) => {
    // Any one, so that a large recovery keeps no other waiting.
    const [row] = await tx<
      { id: number; endpoint_id: string; after_at: Date; after_id: string; until: Date }[]
    >`
      select id, endpoint_id, after_at, after_id, until from recoveries
      order by random() limit 1 for update skip locked`;
    if (row === undefined) return false;
    const [endpoint] = await tx<EndpointRow[]>`
      select * from endpoints where id = ${row.endpoint_id} and status = 'active' for update`;
    const span = { afterAt: row.after_at, afterId: row.after_id, until: row.until };
    const { left } = endpoint === undefined ? { left: null } : await recoverBatch(tx, endpoint, span);
    if (left === null) await tx`delete from recoveries where id = ${row.id}`;
    else {
      await tx`
        update recoveries set after_at = ${left.afterAt}, after_id = ${left.afterId} where id = ${row.id}`;
    }
    return true;
  });
}
