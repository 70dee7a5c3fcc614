/**
 * Takes events into the service: the event and one delivery for every endpoint that is active and subscribed, in one
 * statement. What the stream repeats changes nothing.
 */
import type { Sql } from '@carecover/platform';
import type { IncomingEvent } from '../intake/message';

/**
 * Stores the events that are new with their deliveries; gives the endpoints that have something to be sent. The key-share
 * lock makes the statement wait for a change of an endpoint that is being committed, and judge what is there then.
 */
export async function storeIncomingEvents(sql: Sql, events: readonly IncomingEvent[]): Promise<string[]> {
  const rows = events.map((event) => ({
    id: event.id,
    project_id: event.projectId,
    resource_id: event.resourceId,
    type: event.type,
    payload: event.payload,
    created_at: event.createdAt.toISOString(),
  }));
  const woken = await sql<{ endpoint_id: string }[]>`
    with incoming as materialized (
      select distinct on (id) * from jsonb_to_recordset(${sql.json(rows)}::jsonb)
        as r (id text, project_id text, resource_id text, type text, payload text, created_at timestamptz)
    ), stored as (
      insert into events (id, project_id, resource_id, type, payload, created_at)
      select id, project_id, resource_id, type, payload, created_at from incoming
      on conflict (id) do nothing
      returning id, project_id, type, created_at
    ), listeners as materialized (
      select id, project_id, events from endpoints
      where status = 'active' and project_id in (select project_id from incoming)
      for key share
    ), sent as (
      insert into deliveries (id, endpoint_id, project_id, type, created_at, next_attempt_at, due_at)
      select s.id, l.id, s.project_id, s.type, s.created_at, now.at, now.at
      from stored s
      join listeners l on l.project_id = s.project_id and s.type = any(l.events)
      cross join (select platform.now() as at) now
      on conflict do nothing
      returning endpoint_id
    )
    select distinct endpoint_id from sent`;
  return woken.map((row) => row.endpoint_id);
}
