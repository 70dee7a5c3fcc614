/**
 * Deliveries whose time has come, taken by a dispatcher for the length of a lease: a dispatcher that dies gives them back
 * by doing nothing. SKIP LOCKED lets any number of dispatchers take side by side.
 */
import { WEBHOOK_TIMEOUT_MS } from '@carecover/contract';
import type { Sql } from '@carecover/platform';
import { inLockOrder } from './lock-order';
import { liveSecretIds } from './signing-secrets';

/** Long enough for a try and for writing down what became of it. */
export const LEASE_MS = 2 * WEBHOOK_TIMEOUT_MS;

/** A delivery that this process is to try now. */
export interface DueDelivery {
  readonly endpointId: string;
  readonly eventId: string;
  readonly projectId: string;
  /** The `host:port` that attempts connect to. */
  readonly destination: string;
  readonly round: number;
  /** Attempts already made in the round. */
  readonly roundAttempts: number;
  readonly takenAt: Date;
  readonly url: string;
  readonly payload: string;
  /** The trace to go on with. */
  readonly traceparent: string | null;
  /** Of the secrets that sign, the newest first. */
  readonly secretIds: readonly number[];
  /** Whether every try of the endpoint has failed of late. */
  readonly failing: boolean;
}

/** What was taken, and of which endpoints and destinations as much as there was room for: there may be more. */
export interface Taken {
  readonly deliveries: readonly DueDelivery[];
  readonly full: ReadonlySet<string>;
  readonly fullDestinations: ReadonlySet<string>;
}

/** Whose due deliveries to look for. */
export interface Scope {
  readonly endpointIds: readonly string[];
  /** All active endpoints of these. */
  readonly destinations: readonly string[];
}

export interface Capacity {
  /** By endpoint, how much of its room is used in this process. */
  readonly busy: ReadonlyMap<string, number>;
  /** The room of an endpoint, and of one all of whose latest tries failed. */
  readonly perEndpoint: number;
  readonly perFailingEndpoint: number;
  /** By destination, how much of its room is used in this process. */
  readonly busyDestinations: ReadonlyMap<string, number>;
  /** The room of a destination. */
  readonly perDestination: number;
  /** How many may be taken now in all. */
  readonly free: number;
}

interface DueRow {
  endpoint_id: string;
  id: string;
  project_id: string;
  destination: string;
  round: number;
  round_attempts: number;
  taken_at: Date;
  url: string;
  payload: string;
  traceparent: string | null;
  secret_ids: number[];
  room: number;
  destination_room: number;
  failing: boolean;
}

/** SQL for the room that is left of an endpoint `e`, joined with {@link busyEndpoints} as `busy`. */
export function roomLeft(sql: Sql, { perEndpoint, perFailingEndpoint }: Capacity) {
  return sql`
    case when e.first_failure_at is null then ${perEndpoint}::int else ${perFailingEndpoint}::int end
    - coalesce(busy.tries, 0)`;
}

/** SQL for the destination of an endpoint `e`. */
export const destinationColumn = (sql: Sql) => sql`coalesce(e.destination, e.id)`;

/** SQL for the room that is left of its destination. */
export function destinationRoomLeft(sql: Sql, { busyDestinations, perDestination }: Capacity) {
  return sql`
    ${perDestination}::int - coalesce((
      select busy.tries
      from unnest(${[...busyDestinations.keys()]}::text[], ${[...busyDestinations.values()]}::int[]) as busy (destination, tries)
      where busy.destination = ${destinationColumn(sql)}), 0)`;
}

export function busyEndpoints(sql: Sql, { busy }: Capacity) {
  return sql`
    unnest(${[...busy.keys()]}::text[], ${[...busy.values()]}::int[]) as busy (endpoint_id, tries)`;
}

/**
 * Takes due deliveries within the scope, or of any endpoint where it is null: then endpoints with something
 * pending are found by hopping over the index, so that a long queue of one costs no more than a short one. The commit
 * need not reach the disk: a lease that is lost with the database's memory was held by nobody else.
 *
 * Where a destination has less room than is due for it, projects take turns, each with what has been due longest.
 */
export async function takeDueDeliveries(sql: Sql, scope: Scope | null, capacity: Capacity): Promise<Taken> {
  const candidates =
    scope === null
      ? sql`
        (select endpoint_id from deliveries where status = 'pending' order by endpoint_id limit 1)
        union all
        select (select d.endpoint_id from deliveries d
                where d.status = 'pending' and d.endpoint_id > c.endpoint_id order by d.endpoint_id limit 1)
        from candidates c where c.endpoint_id is not null`
      : sql`
        select unnest(${[...scope.endpointIds]}::text[]) as endpoint_id
        union
        select id from endpoints where status = 'active' and destination = any(${[...scope.destinations]}::text[])`;
  const rows = await sql<DueRow[]>`
    with recursive candidates as (${candidates}),
    clock as materialized (
      select platform.now() as at, set_config('synchronous_commit', 'off', true) as commit),
    rooms as materialized (
      select e.id, e.project_id, e.url, e.first_failure_at is not null as failing, ${roomLeft(sql, capacity)} as room,
             ${destinationColumn(sql)} as destination, ${destinationRoomLeft(sql, capacity)} as destination_room
      from candidates c
      join endpoints e on e.id = c.endpoint_id and e.status = 'active'
      left join ${busyEndpoints(sql, capacity)} on busy.endpoint_id = e.id
      order by random()
    ), found as materialized (
      select due.*, rooms.project_id, rooms.destination, rooms.destination_room
      from rooms cross join lateral (
        select d.endpoint_id, d.id, d.due_at from deliveries d
        where d.endpoint_id = rooms.id and d.status = 'pending' and d.due_at <= (select at from clock)
        order by d.due_at limit greatest(least(rooms.room, rooms.destination_room), 0)
        for update skip locked) due
      limit ${capacity.free}
    ), turns as (
      select f.*, row_number() over (partition by f.destination, f.project_id order by f.due_at) as turn from found f
    ), taken as materialized (
      select endpoint_id, id from (
        select t.*, row_number() over (partition by t.destination order by t.turn, t.due_at) as place from turns t) placed
      where place <= destination_room
    ), receivers as materialized (
      select r.*, ${liveSecretIds(sql, sql`r.id`)} as secret_ids
      from rooms r where r.id in (select endpoint_id from taken)
    )
    update deliveries d set due_at = clock.at + ${LEASE_MS} * interval '1 millisecond'
    from taken t, clock, events ev, receivers r
    where d.endpoint_id = t.endpoint_id and d.id = t.id and ev.id = t.id and r.id = t.endpoint_id
    returning d.endpoint_id, d.id, r.project_id, r.destination, r.destination_room, d.round, d.round_attempts, clock.at as taken_at, r.url, r.room, r.failing, ev.payload,
      ev.traceparent,
      r.secret_ids`;
  return {
    deliveries: rows.map(toDelivery),
    full: filled(rows.map(({ endpoint_id, room }) => ({ name: endpoint_id, room }))),
    fullDestinations: new Set([
      ...filled(
        rows.map(({ destination, destination_room }) => ({ name: destination, room: destination_room })),
      ),
      ...[...capacity.busyDestinations]
        .filter(([, busy]) => busy >= capacity.perDestination)
        .map(([name]) => name),
    ]),
  };
}

function toDelivery(row: DueRow): DueDelivery {
  return {
    endpointId: row.endpoint_id,
    eventId: row.id,
    projectId: row.project_id,
    destination: row.destination,
    round: row.round,
    roundAttempts: row.round_attempts,
    takenAt: row.taken_at,
    url: row.url,
    payload: row.payload,
    traceparent: row.traceparent,
    secretIds: row.secret_ids,
    failing: row.failing,
  };
}

/** Those of which as much was taken as there was room for. */
function filled(taken: readonly { readonly name: string; readonly room: number }[]): Set<string> {
  const left = new Map<string, number>();
  for (const { name, room } of taken) left.set(name, (left.get(name) ?? room) - 1);
  return new Set([...left].filter(([, room]) => room === 0).map(([name]) => name));
}

/** Ends the lease of deliveries that were taken and not tried. */
export async function giveBackDeliveries(sql: Sql, deliveries: readonly DueDelivery[]): Promise<void> {
  if (deliveries.length === 0) return;
  const ordered = inLockOrder(deliveries);
  const endpointIds = ordered.map(({ endpointId }) => endpointId);
  const eventIds = ordered.map(({ eventId }) => eventId);
  await sql`
    update deliveries d set due_at = d.next_attempt_at
    from unnest(${endpointIds}::text[], ${eventIds}::text[]) as r (endpoint_id, id)
    where d.endpoint_id = r.endpoint_id and d.id = r.id and d.status = 'pending'`;
}
