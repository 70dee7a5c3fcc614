/** Events in rest: reading one, keeping one of the service's own, and forgetting old ones. */
import { type Caller, type Db, requireResource, type Sql } from '@carecover/platform';

/** The event's JSON, byte for byte. @throws ApiError resource_not_found */
export async function readEventPayload(db: Db, caller: Caller, id: string): Promise<string> {
  const [row] = await db<{ payload: string }[]>`
    select payload from events where id = ${id} and project_id = ${caller.tenant}`;
  return requireResource(caller, id, row).payload;
}

/** Keeps an event unless it is there, with these or other bytes; gives the bytes that are kept. */
export async function keepEvent(
  db: Db,
  event: {
    readonly id: string;
    readonly tenant: string;
    readonly resourceId: string;
    readonly type: string;
    readonly payload: string;
    readonly createdAt: Date;
  },
): Promise<string> {
  await db`
    insert into events (id, project_id, resource_id, type, payload, created_at)
    values (${event.id}, ${event.tenant}, ${event.resourceId}, ${event.type}, ${event.payload}, ${event.createdAt})
    on conflict (id) do nothing`;
  const [row] = await db<{ payload: string }[]>`select payload from events where id = ${event.id}`;
  if (row === undefined) throw new Error('the event that was just kept is gone');
  return row.payload;
}

/**
 * Forgets a batch of events received more than `days` ago, with their deliveries, tries and the idempotency keys of their
 * redeliveries; gives how many. An event that is still being sent stays until that is over.
 */
export async function deleteOldEvents(sql: Sql, days: number, batch: number): Promise<number> {
  return sql.begin(async (tx) => {
    const forgotten = await tx<{ id: string }[]>`
      delete from events where id in (
        select e.id from events e
        where e.received_at < (select platform.now()) - ${days} * interval '1 day'
          and not exists (select from deliveries d where d.id = e.id and d.status = 'pending')
        order by e.received_at limit ${batch})
      returning id`;
    if (forgotten.length > 0) {
      await tx`delete from commands where resource_id = any(${forgotten.map(({ id }) => id)}::text[])`;
    }
    return forgotten.length;
  });
}
