/** SQL of the events that the service has stored. */
import { type Caller, requireResource, type Tenant } from '@carecover/domain';
import { type Db, isOnlyDeletion, type ListQuery, type ListResult, listPage } from '@carecover/postgres';

/** Reads the JSON of an event of the caller's project, byte for byte as receivers get it. @throws ApiError resource_not_found */
export async function readEventPayload(db: Db, caller: Caller, id: string): Promise<string> {
  const [row] = await db<{ payload: string }[]>`
    select payload from events where project_id = ${caller.tenant} and id = ${id}`;
  return requireResource(caller, id, row).payload;
}

/**
 * Reads one page of the project's events as JSON, newest first.
 *
 * @throws ApiError validation_failed if the cursor names no event of this list
 */
export function listEvents(
  db: Db,
  caller: Caller,
  query: ListQuery & { readonly type?: string },
): Promise<ListResult<unknown>> {
  const filters = [{ column: 'type', value: query.type }];
  const toResource = ({ payload }: { id: string; payload: string }): unknown => JSON.parse(payload);
  return listPage(db, caller, { table: 'events', hasSmallRows: true }, query, filters, toResource);
}

/** Reads the IDs of the events about a resource, oldest first. */
export async function eventsOfResource(db: Db, tenant: Tenant, resourceId: string): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select id from events where project_id = ${tenant} and resource_id = ${resourceId} order by id`;
  return rows.map(({ id }) => id);
}

/** Inserts an event unless one with its ID exists. Returns the payload that is stored after that. */
export async function insertEvent(
  db: Db,
  tenant: Tenant,
  event: {
    readonly id: string;
    readonly resourceId: string;
    readonly type: string;
    readonly payload: string;
    readonly createdAt: Date;
  },
): Promise<string> {
  await db`
    insert into events (id, project_id, resource_id, type, payload, created_at)
    values (${event.id}, ${tenant}, ${event.resourceId}, ${event.type}, ${event.payload}, ${event.createdAt})
    on conflict (id) do nothing`;
  const [row] = await db<
    { payload: string }[]
  >`select payload from events where project_id = ${tenant} and id = ${event.id}`;
  if (row === undefined) throw new Error('the inserted event does not exist');
  return row.payload;
}

/** Maximum number of events that one statement deletes. It is lower than for other tables, because deliveries and attempts are deleted too. */
const EVENT_BATCH = 200;
/** One statement deletes no further event after the first ones that have this number of deliveries and attempts together. */
const ROW_BATCH = 2_000;

/**
 * Deletes a batch of the events that were received more than `days` days ago, with their deliveries, attempts and the idempotency keys of
 * their redeliveries. An event is kept while a delivery is pending or is locked, for example by a redelivery. If the attempts of one event
 * are too many for a statement, the statement deletes a part of them, and later statements the rest and the event. Returns the number of
 * deleted events, plus the number of attempts that were deleted before their event.
 */
export async function deleteOldEvents(
  db: Db,
  days: number,
  { events = EVENT_BATCH, rows = ROW_BATCH } = {},
): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    with oldest as (
      select e.id, e.received_at, (select count(*) from deliveries d where d.id = e.id) as deliveries,
        (select count(*) from (
          select from deliveries d join attempts a on a.endpoint_id = d.endpoint_id and a.event_id = d.id
          where d.id = e.id limit ${rows + 1}) counted) as attempts
      from events e
      where e.received_at < (select platform.now()) - ${days} * interval '1 day'
        and not exists (select from deliveries d where d.id = e.id and d.status = 'pending')
        and ${isOnlyDeletion(db, 'events')}
      order by e.received_at limit ${events}
    ), summed as (
      select id, received_at, deliveries, attempts,
        sum(deliveries + attempts) over (order by received_at, id) - deliveries - attempts as before
      from oldest
    ), crowded as (
      select id from summed where attempts > ${rows} order by received_at, id limit 1
    ), reduced as materialized (
      select delete_attempts(id, ${rows}) as attempts from crowded
    ), batch as materialized (
      select id, deliveries from summed where before < ${rows} and attempts <= ${rows}
    ), locked as materialized (
      select d.id from batch join deliveries d on d.id = batch.id where d.status <> 'pending' for update of d skip locked
    ), deleted as (
      delete from events where id in (
        select batch.id from batch left join locked using (id)
        group by batch.id, batch.deliveries having count(locked.id) = batch.deliveries)
      returning id
    ), keys as (delete from commands where resource_id in (select id from deleted))
    select count(*) + coalesce((select attempts from reduced), 0) as count from deleted`;
  return row?.count ?? 0;
}
