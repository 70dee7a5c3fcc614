/**
 * SQL of ended periods. Disabling an endpoint, or removing an event type from it, ends its pending deliveries: none is attempted, and
 * clients see them as failed. There can be very many, so the change writes only one row, and a sweep sets the deliveries to failed.
 */

import type { Tenant } from '@carecover/domain';
import { type Db, notifyOnCommit, type Sql, type Tx } from '@carecover/postgres';
import { DUE_CHANNEL } from './due-deliveries';

/** Maximum number of deliveries that one batch reads. */
const ENDED_BATCH = 2_000;

/**
 * Ends the pending deliveries of an endpoint, leased ones included, of the given event types or of all (null). The endpoint must be locked
 * by FOR UPDATE, so that no other transaction can insert a delivery of the ended period later.
 */
export async function endPendingDeliveries(
  tx: Tx,
  tenant: Tenant,
  endpointId: string,
  types: readonly string[] | null,
): Promise<void> {
  await tx`
    with changed as (
      update endpoints set period = period + 1 where id = ${endpointId} and project_id = ${tenant} returning period - 1 as ended)
    insert into ended_periods (endpoint_id, through, types)
    select ${endpointId}, ended, ${types === null ? null : [...types]}::text[] from changed
    where exists (select from deliveries where endpoint_id = ${endpointId} and status = 'pending')`;
}

/** Returns whether an endpoint can have ended deliveries that are not set to failed yet. */
export async function hasEndedPeriods(db: Db, endpointId: string): Promise<boolean> {
  const rows = await db`select 1 from ended_periods where endpoint_id = ${endpointId} limit 1`;
  return rows.length > 0;
}

interface EndedPeriod {
  readonly id: number;
  readonly endpoint_id: string;
  readonly through: number;
  readonly types: string[] | null;
  readonly after_at: Date;
  readonly after_id: string;
}

/**
 * Sets the ended deliveries in a batch of an endpoint's pending deliveries to failed. Returns false if no endpoint has an ended period, or
 * other transactions process all of them.
 *
 * @param endpointId the endpoint; null processes an endpoint that is chosen at random, so that a large one does not delay the others
 */
export function failEndedDeliveries(
  sql: Sql,
  endpointId: string | null = null,
  batch = ENDED_BATCH,
): Promise<boolean> {
  return sql.begin(async (tx) => {
    const [ended] = await tx<EndedPeriod[]>`
      select id, endpoint_id, through, types, after_at, after_id from ended_periods
      where ${endpointId}::text is null or endpoint_id = ${endpointId}
      order by random() limit 1 for update skip locked`;
    if (ended === undefined) return false;
    const { id, endpoint_id, through, types, after_at, after_id } = ended;
    const [pending] = await tx<{ count: number; last_at: Date | null; last_id: string | null }[]>`
      with pending as materialized (
        select id, created_at from deliveries
        where endpoint_id = ${endpoint_id} and status = 'pending' and (created_at, id) > (${after_at}, ${after_id})
        order by created_at, id limit ${batch}
      ), last as (
        select created_at, id from pending order by created_at desc, id desc limit 1
      ), locked as materialized (
        select d.id from pending join deliveries d on d.endpoint_id = ${endpoint_id} and d.id = pending.id
        where d.status = 'pending' and d.period <= ${through} and (${types}::text[] is null or d.type = any(${types}::text[]))
        order by d.id for update of d
      ), failed as (
        update deliveries d set status = 'failed', next_attempt_at = null, leased_until = null, simulated_at = null
        from locked where d.endpoint_id = ${endpoint_id} and d.id = locked.id
      )
      select count(*) as count, (select created_at from last) as last_at, (select id from last) as last_id from pending`;
    if (pending === undefined) throw new Error('the batch was not counted');
    if (pending.count === batch) {
      await tx`update ended_periods set after_at = ${pending.last_at}, after_id = ${pending.last_id} where id = ${id}`;
    } else {
      await tx`delete from ended_periods where id = ${id}`;
      // The deliveries of later periods waited for the end of this one.
      await notifyOnCommit(tx, DUE_CHANNEL, endpoint_id);
    }
    return true;
  });
}
