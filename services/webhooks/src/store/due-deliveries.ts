/**
 * SQL of leases on due deliveries. After a crash of a process its leases expire, and another process can lease the deliveries. With SKIP
 * LOCKED, any number of processes can lease deliveries concurrently.
 */
import { WEBHOOK_TIMEOUT_MS } from '@carecover/contract';
import type { Db, Fragment, Sql } from '@carecover/postgres';
import { validSecretIds } from './signing-secrets';

/** The PostgreSQL NOTIFY channel on which the IDs of endpoints with new due deliveries are sent to the dispatchers of all processes. */
export const DUE_CHANNEL = 'webhooks_due';

/** Duration of a lease in milliseconds: long enough to make an attempt and to record its outcome. */
export const LEASE_MS = 2 * WEBHOOK_TIMEOUT_MS;

/** A delivery that this process has leased. */
export interface DueDelivery {
  readonly endpointId: string;
  readonly eventId: string;
  readonly projectId: string;
  /** The `host:port` to which attempts connect. */
  readonly destination: string;
  readonly round: number;
  /** The number of attempts that were made in the current round. */
  readonly roundAttempts: number;
  readonly leasedAt: Date;
  /** The instant of the attempt in a project with simulated time; null in a project with real time. */
  readonly simulatedAt: Date | null;
  /** The end of the lease as it is stored, which identifies this lease among those of the delivery's round. */
  readonly leasedUntil: Date;
  readonly url: string;
  readonly payload: string;
  /** The trace context that the attempt resumes; null if there is none. */
  readonly traceparent: string | null;
  /** The IDs of the endpoint's valid signing secrets, the newest first. */
  readonly secretIds: readonly number[];
  /** Whether the endpoint is failing: all its attempts since its last success failed. */
  readonly failing: boolean;
}

/** Leased deliveries, and the endpoints and destinations whose capacity they used up, so that the database can have more of them. */
export interface LeasedBatch {
  readonly deliveries: readonly DueDelivery[];
  readonly fullEndpoints: ReadonlySet<string>;
  readonly fullDestinations: ReadonlySet<string>;
}

/** The endpoints of which due deliveries are leased. */
export interface LeaseTarget {
  readonly endpointIds: readonly string[];
  /** Destinations; all of their active endpoints are in the target. */
  readonly destinations: readonly string[];
}

/** The used capacity of an endpoint of which this process has deliveries, and its limit in this process. */
export interface UsedCapacity {
  readonly used: number;
  readonly limit: number;
}

/** How many deliveries this process can lease per endpoint, per destination and in total. */
export interface Capacity {
  readonly usedByEndpoint: ReadonlyMap<string, UsedCapacity>;
  /** The capacity of any endpoint; `perFailingEndpoint` applies if the endpoint is failing. */
  readonly perEndpoint: number;
  readonly perFailingEndpoint: number;
  /** Used capacity by destination. */
  readonly usedByDestination: ReadonlyMap<string, number>;
  /** The capacity of a destination. */
  readonly perDestination: number;
  /** The free capacity over all endpoints. */
  readonly free: number;
}

interface DueRow {
  endpoint_id: string;
  id: string;
  project_id: string;
  destination: string;
  round: number;
  round_attempts: number;
  leased_at: Date;
  leased_until: Date;
  simulated_at: Date | null;
  url: string;
  payload: string;
  traceparent: string | null;
  secret_ids: number[];
  capacity: number;
  destination_capacity: number;
  failing: boolean;
}

/** Returns the SQL expression for the free capacity of the endpoint `e` of a query that joins it with {@link usedCapacity} as `used`. */
function freeCapacity(sql: Sql, { perEndpoint, perFailingEndpoint }: Capacity) {
  return sql`
    least(case when e.first_failure_at is null then ${perEndpoint}::int else ${perFailingEndpoint}::int end, used.endpoint_limit)
    - coalesce(used.attempts, 0)`;
}

/** Returns the SQL expression for the free capacity of the destination of the endpoint `e` of a query. */
function freeDestinationCapacity(sql: Sql, { usedByDestination, perDestination }: Capacity) {
  return sql`
    ${perDestination}::int - coalesce((
      select used.attempts
      from unnest(${[...usedByDestination.keys()]}::text[], ${[...usedByDestination.values()]}::int[]) as used (destination, attempts)
      where used.destination = e.destination), 0)`;
}

/** Returns the SQL condition that no process has a lease on the delivery `d` of a query at the time `at`. */
function isUnleased(db: Db, at: Fragment) {
  return db`(d.leased_until is null or d.leased_until <= ${at})`;
}

/**
 * Returns the SQL condition that the dispatcher makes the next attempt of a row of `deliveries`. A retry of a project with simulated time waits
 * for an advance of the clock (clock-retries.ts). The index of due deliveries has the same condition.
 */
function isForDispatcher(db: Db) {
  return db`status = 'pending' and (simulated_at is not null or not platform.is_simulated(project_id))`;
}

/** Returns the SQL for a table `used` with the used capacity per endpoint. */
function usedCapacity(sql: Sql, { usedByEndpoint }: Capacity) {
  const capacities = [...usedByEndpoint.values()];
  return sql`
    unnest(${[...usedByEndpoint.keys()]}::text[], ${capacities.map(({ used }) => used)}::int[],
           ${capacities.map(({ limit }) => limit)}::int[]) as used (endpoint_id, attempts, endpoint_limit)`;
}

/**
 * Returns the SQL of a recursive table `candidates` of the endpoints with pending deliveries. The index scan reads one row per endpoint, however
 * many deliveries are pending.
 */
function endpointsWithPending(sql: Sql) {
  return sql`
    (select endpoint_id from deliveries where ${isForDispatcher(sql)} order by endpoint_id limit 1)
    union all
    select (select d.endpoint_id from deliveries d
            where ${isForDispatcher(sql)} and d.endpoint_id > c.endpoint_id order by d.endpoint_id limit 1)
    from candidates c where c.endpoint_id is not null`;
}

/**
 * Leases due deliveries of the endpoints in the target, or of all endpoints if the target is null. If a destination has more due deliveries
 * than capacity, they are leased from its projects in turn. An endpoint with an ended period gets no delivery until its ended deliveries are
 * set to failed; to skip them here would take long if they are many.
 *
 * A lease leaves the delivery at its place in the index, so the scan passes those that are leased: for each process, those in its memory.
 *
 * The commit is asynchronous, because a lease that is lost in a crash of the database does no harm: the attempt is only repeated.
 */
export async function leaseDueDeliveries(
  sql: Sql,
  target: LeaseTarget | null,
  capacity: Capacity,
): Promise<LeasedBatch> {
  const candidates =
    target === null
      ? endpointsWithPending(sql)
      : sql`
        select unnest(${[...target.endpointIds]}::text[]) as endpoint_id
        union
        select id from endpoints where status = 'active' and destination = any(${[...target.destinations]}::text[])`;
  const rows = await sql<DueRow[]>`
    with recursive candidates as (${candidates}),
    clock as materialized (
      select platform.real_now() as at, set_config('synchronous_commit', 'off', true) as commit),
    receivers as materialized (
      select e.id, e.project_id, e.url, case when platform.is_simulated(e.project_id) then 'infinity' else clock.at end as due_until,
             e.first_failure_at is not null as failing, ${freeCapacity(sql, capacity)} as capacity,
             e.destination as destination, ${freeDestinationCapacity(sql, capacity)} as destination_capacity
      from candidates c
      join endpoints e on e.id = c.endpoint_id and e.status = 'active'
        and not exists (select from ended_periods p where p.endpoint_id = e.id)
      cross join clock
      left join ${usedCapacity(sql, capacity)} on used.endpoint_id = e.id
      order by random()
    ), found as materialized (
      select due.*, receivers.project_id, receivers.destination, receivers.destination_capacity
      from receivers cross join lateral (
        select d.endpoint_id, d.id, d.next_attempt_at from deliveries d
        where d.endpoint_id = receivers.id and ${isForDispatcher(sql)} and d.next_attempt_at <= receivers.due_until
          and ${isUnleased(sql, sql`(select at from clock)`)}
        order by d.next_attempt_at limit greatest(least(receivers.capacity, receivers.destination_capacity), 0)
        for update skip locked) due
      limit ${capacity.free}
    ), turns as (
      select f.*, row_number() over (partition by f.destination, f.project_id order by f.next_attempt_at) as turn from found f
    ), leased as materialized (
      select endpoint_id, id from (
        select t.*, row_number() over (partition by t.destination order by t.turn, t.next_attempt_at) as position from turns t) numbered
      where position <= destination_capacity
    ), signed as materialized (
      select r.*, ${validSecretIds(sql, sql`r.id`)} as secret_ids
      from receivers r where r.id in (select endpoint_id from leased)
    )
    update deliveries d set leased_until = clock.at + ${LEASE_MS} * interval '1 millisecond'
    from leased t, clock, events ev, signed r
    where d.endpoint_id = t.endpoint_id and d.id = t.id and ev.id = t.id and r.id = t.endpoint_id
    returning d.endpoint_id, d.id, r.project_id, r.destination, r.destination_capacity, d.round, d.round_attempts, clock.at as leased_at,
      d.leased_until, d.simulated_at, r.url, r.capacity, r.failing, ev.payload, ev.traceparent, r.secret_ids`;
  return {
    deliveries: rows.map(toDelivery),
    fullEndpoints: withoutCapacity(
      rows.map(({ endpoint_id, capacity }) => ({ name: endpoint_id, capacity })),
    ),
    fullDestinations: new Set([
      ...withoutCapacity(
        rows.map(({ destination, destination_capacity }) => ({
          name: destination,
          capacity: destination_capacity,
        })),
      ),
      ...[...capacity.usedByDestination]
        .filter(([, used]) => used >= capacity.perDestination)
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
    leasedAt: row.leased_at,
    leasedUntil: row.leased_until,
    simulatedAt: row.simulated_at,
    url: row.url,
    payload: row.payload,
    traceparent: row.traceparent,
    secretIds: row.secret_ids,
    failing: row.failing,
  };
}

/** Returns the names (endpoints or destinations) of which as many deliveries were leased as the capacity permitted. */
function withoutCapacity(
  leased: readonly { readonly name: string; readonly capacity: number }[],
): Set<string> {
  const left = new Map<string, number>();
  for (const { name, capacity } of leased) left.set(name, (left.get(name) ?? capacity) - 1);
  return new Set([...left].filter(([, capacity]) => capacity === 0).map(([name]) => name));
}

/**
 * Ends the leases of deliveries that this process does not attempt. If another process has leased a delivery since then, its lease
 * does not end.
 */
export async function releaseLeases(sql: Sql, deliveries: readonly DueDelivery[]): Promise<void> {
  if (deliveries.length === 0) return;
  const ordered = inLockOrder(deliveries);
  const endpointIds = ordered.map(({ endpointId }) => endpointId);
  const eventIds = ordered.map(({ eventId }) => eventId);
  const rounds = ordered.map(({ round }) => round);
  const ends = ordered.map(({ leasedUntil }) => leasedUntil);
  await sql`
    update deliveries d set leased_until = null
    from unnest(${endpointIds}::text[], ${eventIds}::text[], ${rounds}::int[], ${ends}::timestamptz[])
      as r (endpoint_id, id, round, leased_until)
    where d.endpoint_id = r.endpoint_id and d.id = r.id and d.round = r.round and d.leased_until = r.leased_until
      and d.status = 'pending'`;
}

/**
 * Sorts deliveries by their primary key. Every SQL statement that locks several deliveries locks them in this order, which prevents
 * deadlocks.
 */
export function inLockOrder<Delivery extends { readonly endpointId: string; readonly eventId: string }>(
  deliveries: readonly Delivery[],
): Delivery[] {
  return [...deliveries].sort((a, b) => compare(a.endpointId, b.endpointId) || compare(a.eventId, b.eventId));
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/**
 * Returns for how many seconds the most overdue delivery of all projects has been due; 0 if none is. Deliveries of failing endpoints do not
 * count, because their receivers cause the delay. Those of endpoints with an ended period wait for a sweep and do not count, nor do
 * those of projects with simulated time.
 */
export async function oldestOverdueSeconds(db: Db): Promise<number> {
  const [row] = await db<{ seconds: number }[]>`
    select coalesce(greatest(0, extract(epoch from platform.real_now() - min(oldest.next_attempt_at))), 0)::float8 as seconds
    from endpoints e cross join lateral (
      select d.next_attempt_at from deliveries d
      where d.endpoint_id = e.id and ${isForDispatcher(db)} and ${isUnleased(db, db`(select platform.real_now())`)}
      order by d.next_attempt_at limit 1) oldest
    where e.status = 'active' and e.first_failure_at is null and not platform.is_simulated(e.project_id)
      and not exists (select from ended_periods p where p.endpoint_id = e.id)`;
  return row?.seconds ?? 0;
}

/** Counts the pending deliveries of all projects, without those that have ended or wait for an advance of a clock. */
export async function countPendingDeliveries(db: Db): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select (select count(*) from deliveries where ${isForDispatcher(db)}) - coalesce(sum(ended.count), 0)::bigint as count
    from (select distinct endpoint_id from ended_periods) e cross join lateral (
      select count(*) from deliveries_in_full d
      where d.endpoint_id = e.endpoint_id and ${isForDispatcher(db)} and d.has_ended) ended`;
  return row?.count ?? 0;
}

/** Returns whether a delivery of any endpoint without an ended period is pending, whether it is due or not. */
export async function hasPendingDeliveries(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ found: boolean }[]>`
    with recursive candidates as (${endpointsWithPending(sql)})
    select exists (
      select from candidates c
      where endpoint_id is not null and not exists (select from ended_periods p where p.endpoint_id = c.endpoint_id)) as found`;
  return row?.found === true;
}
