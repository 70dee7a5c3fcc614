/**
 * SQL that stores events of the stream, each with one delivery per active and subscribed endpoint. The deliveries are due immediately. In a
 * project with simulated time, the instant of their first attempts is that of the event.
 */
import { jsonb, type Sql } from '@carecover/postgres';
import type { IncomingEvent } from '../rules/incoming-event';

/**
 * Stores new events with their deliveries, and returns the IDs of the endpoints with a new delivery. An event that is stored already
 * changes nothing. A late event is delivered to the endpoints that were active and subscribed at its created_at and still are, and to those
 * that have recovered the events of its time. The key-share lock makes the SQL statement wait for uncommitted changes of an endpoint and use
 * the changed row.
 */
export async function storeIncomingEvents(
  sql: Sql,
  events: readonly IncomingEvent[],
): Promise<readonly string[]> {
  const distinct = new Map(events.map((event) => [event.id, event]));
  const rows = [...distinct.values()].map((event) => ({
    id: event.id,
    project_id: event.projectId,
    resource_id: event.resourceId,
    type: event.type,
    payload: event.payload,
    created_at: event.createdAt.toISOString(),
    traceparent: event.traceparent,
  }));
  const receivers = await sql<{ endpoint_id: string }[]>`
    with incoming as materialized (
      select * from jsonb_to_recordset(${jsonb(rows)}::jsonb)
        as r (id text, project_id text, resource_id text, type text, payload text, created_at timestamptz,
              traceparent text)
    ), stored as (
      insert into events (id, project_id, resource_id, type, payload, created_at, traceparent)
      select id, project_id, resource_id, type, payload, created_at, traceparent from incoming
      on conflict (id) do nothing
      returning id, project_id, type, created_at
    ), subscribers as materialized (
      select e.id, e.project_id, e.events, e.events_since, e.created_at, e.period
      from endpoints e
      where e.status = 'active' and e.project_id in (select project_id from incoming)
      order by e.id for key share of e
    ), inserted as (
      insert into deliveries (id, endpoint_id, project_id, type, created_at, next_attempt_at, simulated_at, period)
      select s.id, l.id, s.project_id, s.type, s.created_at, coalesce(simulated.at, clock.at), simulated.at, l.period
      from stored s join subscribers l on l.project_id = s.project_id and s.type = any(l.events)
      cross join (select platform.real_now() as at) clock
      cross join lateral (select case when platform.is_simulated(s.project_id) then s.created_at end as at) simulated
      cross join lateral (select coalesce(l.events_since[array_position(l.events, s.type)], l.created_at) as since) active
      -- If the clock was set back to before the endpoint's activation, the times can't be compared.
      where s.created_at >= active.since or (simulated.at is null and clock.at < active.since)
      returning endpoint_id
    )
    select distinct endpoint_id from inserted`;
  return receivers.map(({ endpoint_id }) => endpoint_id);
}
