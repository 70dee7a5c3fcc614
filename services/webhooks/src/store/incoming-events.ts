/**
 * Takes events into the service: the event and one delivery for every endpoint that is active and subscribed, in one
 * statement. Deliveries that this process has room for are born taken, so that the first try needs nothing more from the
 * database. What the stream repeats changes nothing.
 */
import type { Sql } from '@carecover/platform';
import type { IncomingEvent } from '../intake/message';
import {
  busyEndpoints,
  type Capacity,
  type DueDelivery,
  destinationColumn,
  destinationRoomLeft,
  LEASE_MS,
  roomLeft,
  type Taken,
} from './due-deliveries';
import { liveSecretIds } from './signing-secrets';

interface ReceiverRow {
  endpoint_id: string;
  project_id: string;
  destination: string;
  url: string;
  failing: boolean;
  secret_ids: number[];
  taken_at: Date;
  /** Ids of the events that this process is to send it now. */
  taken: string[] | null;
  more: boolean;
  /** Whether the destination had room for fewer. */
  crowded: boolean;
}

/**
 * Stores the events that are new with their deliveries; gives those to be tried now. An event that comes late is owed to
 * who was active and subscribed when it happened, and is so now. The key-share lock makes the
 * statement wait for a change of an endpoint that is being committed, and evaluate what is there then.
 */
export async function storeIncomingEvents(
  sql: Sql,
  events: readonly IncomingEvent[],
  capacity: Capacity,
): Promise<Taken> {
  const different = new Map(events.map((event) => [event.id, event]));
  const rows = [...different.values()].map((event) => ({
    id: event.id,
    project_id: event.projectId,
    resource_id: event.resourceId,
    type: event.type,
    payload: event.payload,
    created_at: event.createdAt.toISOString(),
    traceparent: event.traceparent,
  }));
  const receivers = await sql<ReceiverRow[]>`
    with incoming as materialized (
      select * from jsonb_to_recordset(${sql.json(rows)}::jsonb)
        as r (id text, project_id text, resource_id text, type text, payload text, created_at timestamptz,
              traceparent text)
    ), clock as materialized (select platform.now() as at),
    stored as (
      insert into events (id, project_id, resource_id, type, payload, created_at, traceparent)
      select id, project_id, resource_id, type, payload, created_at, traceparent from incoming
      on conflict (id) do nothing
      returning id, project_id, type, created_at
    ), listeners as materialized (
      select e.id, e.project_id, e.events, e.events_since, e.created_at, e.url, e.first_failure_at is not null as failing,
             ${roomLeft(sql, capacity)} as room,
             ${destinationColumn(sql)} as destination, ${destinationRoomLeft(sql, capacity)} as destination_room
      from endpoints e left join ${busyEndpoints(sql, capacity)} on busy.endpoint_id = e.id
      where e.status = 'active' and e.project_id in (select project_id from incoming)
      order by e.id for key share of e
    ), owed as materialized (
      select s.id, l.id as endpoint_id, s.project_id, s.type, s.created_at,
             row_number() over (partition by l.id order by s.id) <= l.room
             and row_number() over (partition by l.destination order by s.id, l.id) <= l.destination_room
             and row_number() over (order by s.id, l.id) <= ${capacity.free}::int as taken,
             row_number() over (partition by l.destination order by s.id, l.id) > l.destination_room as crowded
      from stored s join listeners l on l.project_id = s.project_id and s.type = any(l.events)
        and s.created_at >= coalesce(l.events_since[array_position(l.events, s.type)], l.created_at)
    ), kept as (
      insert into deliveries (id, endpoint_id, project_id, type, created_at, next_attempt_at, due_at)
      select o.id, o.endpoint_id, o.project_id, o.type, o.created_at, clock.at,
             case when o.taken then clock.at + ${LEASE_MS} * interval '1 millisecond' else clock.at end
      from owed o cross join clock
    ), receivers as (
      select endpoint_id, array_agg(id order by id) filter (where taken) as taken, bool_or(not taken) as more,
             bool_or(crowded) as crowded
      from owed group by endpoint_id
    )
    select r.*, l.project_id, l.destination, l.url, l.failing, clock.at as taken_at, ${liveSecretIds(sql, sql`l.id`)} as secret_ids
    from receivers r join listeners l on l.id = r.endpoint_id cross join clock`;
  return {
    deliveries: receivers.flatMap((receiver) => deliveriesTo(receiver, different)),
    full: new Set(receivers.filter(({ more }) => more).map(({ endpoint_id }) => endpoint_id)),
    fullDestinations: new Set(
      receivers.filter(({ crowded }) => crowded).map(({ destination }) => destination),
    ),
  };
}

function deliveriesTo(receiver: ReceiverRow, events: ReadonlyMap<string, IncomingEvent>): DueDelivery[] {
  return (receiver.taken ?? []).map((eventId) => ({
    endpointId: receiver.endpoint_id,
    eventId,
    projectId: receiver.project_id,
    destination: receiver.destination,
    round: 1,
    roundAttempts: 0,
    takenAt: receiver.taken_at,
    url: receiver.url,
    payload: events.get(eventId)?.payload ?? '',
    traceparent: events.get(eventId)?.traceparent ?? null,
    secretIds: receiver.secret_ids,
    failing: receiver.failing,
  }));
}
