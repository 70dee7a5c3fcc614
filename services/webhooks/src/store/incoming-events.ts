/**
 * SQL that stores events of the stream: each event with one delivery per active, subscribed endpoint, in one statement. Deliveries within
 * the capacity of this process are inserted with a lease, so that their first attempt needs no further query.
 */
import { jsonb, type Sql } from '@carecover/platform';
import type { IncomingEvent } from '../rules/incoming-event';
import {
  type Capacity,
  type DueDelivery,
  freeCapacity,
  freeDestinationCapacity,
  LEASE_MS,
  type LeasedBatch,
  usedCapacity,
} from './due-deliveries';
import { validSecretIds } from './signing-secrets';

interface ReceiverRow {
  endpoint_id: string;
  project_id: string;
  destination: string;
  url: string;
  failing: boolean;
  secret_ids: number[];
  leased_at: Date;
  /** The IDs of the events whose deliveries were leased. */
  leased: string[] | null;
  has_more: boolean;
  /** Whether the destination had capacity for fewer deliveries. */
  is_destination_full: boolean;
}

/**
 * Stores new events with their deliveries, and returns the leased ones. A repeated event changes nothing. A late event is delivered to the
 * endpoints that were active and subscribed at its time and still are. The key-share lock makes the statement wait for uncommitted changes
 * of an endpoint and then use the changed row.
 */
export async function storeIncomingEvents(
  sql: Sql,
  events: readonly IncomingEvent[],
  capacity: Capacity,
): Promise<LeasedBatch> {
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
  const receivers = await sql<ReceiverRow[]>`
    with incoming as materialized (
      select * from jsonb_to_recordset(${jsonb(rows)}::jsonb)
        as r (id text, project_id text, resource_id text, type text, payload text, created_at timestamptz,
              traceparent text)
    ), clock as materialized (select platform.now() as at),
    stored as (
      insert into events (id, project_id, resource_id, type, payload, created_at, traceparent)
      select id, project_id, resource_id, type, payload, created_at, traceparent from incoming
      on conflict (id) do nothing
      returning id, project_id, type, created_at
    ), subscribers as materialized (
      select e.id, e.project_id, e.events, e.events_since, e.created_at, e.url, e.first_failure_at is not null as failing,
             ${freeCapacity(sql, capacity)} as capacity,
             e.destination as destination, ${freeDestinationCapacity(sql, capacity)} as destination_capacity
      from endpoints e left join ${usedCapacity(sql, capacity)} on used.endpoint_id = e.id
      where e.status = 'active' and e.project_id in (select project_id from incoming)
      order by e.id for key share of e
    ), pending as materialized (
      select s.id, l.id as endpoint_id, s.project_id, s.type, s.created_at,
             row_number() over (partition by l.id order by s.id) <= l.capacity
             and row_number() over (partition by l.destination order by s.id, l.id) <= l.destination_capacity
             and row_number() over (order by s.id, l.id) <= ${capacity.free}::int as leased,
             row_number() over (partition by l.destination order by s.id, l.id) > l.destination_capacity as is_destination_full
      from stored s join subscribers l on l.project_id = s.project_id and s.type = any(l.events)
        and s.created_at >= coalesce(l.events_since[array_position(l.events, s.type)], l.created_at)
    ), inserted as (
      insert into deliveries (id, endpoint_id, project_id, type, created_at, next_attempt_at, due_at)
      select o.id, o.endpoint_id, o.project_id, o.type, o.created_at, clock.at,
             case when o.leased then clock.at + ${LEASE_MS} * interval '1 millisecond' else clock.at end
      from pending o cross join clock
    ), receivers as (
      select endpoint_id, array_agg(id order by id) filter (where leased) as leased, bool_or(not leased) as has_more,
             bool_or(is_destination_full) as is_destination_full
      from pending group by endpoint_id
    )
    select r.*, l.project_id, l.destination, l.url, l.failing, clock.at as leased_at, ${validSecretIds(sql, sql`l.id`)} as secret_ids
    from receivers r join subscribers l on l.id = r.endpoint_id cross join clock`;
  return {
    deliveries: receivers.flatMap((receiver) => deliveriesTo(receiver, distinct)),
    fullEndpoints: new Set(
      receivers.filter(({ has_more }) => has_more).map(({ endpoint_id }) => endpoint_id),
    ),
    fullDestinations: new Set(
      receivers
        .filter(({ is_destination_full }) => is_destination_full)
        .map(({ destination }) => destination),
    ),
  };
}

function deliveriesTo(receiver: ReceiverRow, events: ReadonlyMap<string, IncomingEvent>): DueDelivery[] {
  return (receiver.leased ?? []).map((eventId) => ({
    endpointId: receiver.endpoint_id,
    eventId,
    projectId: receiver.project_id,
    destination: receiver.destination,
    round: 1,
    roundAttempts: 0,
    leasedAt: receiver.leased_at,
    url: receiver.url,
    payload: events.get(eventId)?.payload ?? '',
    traceparent: events.get(eventId)?.traceparent ?? null,
    secretIds: receiver.secret_ids,
    failing: receiver.failing,
  }));
}
