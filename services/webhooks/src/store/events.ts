/** SQL of the events that the service has stored. */
import {
  type Caller,
  type Db,
  type ListQuery,
  type ListResult,
  listPage,
  requireResource,
  type Sql,
  type Tenant,
} from '@carecover/platform';

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
  return listPage(db, caller, { table: 'events', kind: 'event' }, query, filters, toResource);
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

/**
 * Deletes up to `batch` events that were received more than `days` days ago, with their deliveries, attempts and the idempotency keys of
 * their redeliveries. An event with a pending delivery is kept. Returns the number of deleted events.
 */
export async function deleteOldEvents(sql: Sql, days: number, batch: number): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    with deleted as (
      delete from events where id in (
        select e.id from events e
        where e.received_at < (select platform.now()) - ${days} * interval '1 day'
          and not exists (select from deliveries d where d.id = e.id and d.status = 'pending')
        order by e.received_at limit ${batch})
      returning id
    ), keys as (delete from commands where resource_id in (select id from deleted))
    select count(*) as count from deleted`;
  return row?.count ?? 0;
}
