/** SQL of endpoints. A transaction that changes an endpoint must have locked its row. */
import type { EventType, WebhookEndpoint } from '@carecover/contract';
import { type Caller, requireResource, type Tenant } from '@carecover/domain';
import {
  type Db,
  type ListQuery,
  type ListResult,
  listPage,
  notifyOnCommit,
  type Tx,
} from '@carecover/postgres';
import { destinationOf } from '../address/endpoint-url';
import { endPendingDeliveries } from './ended-periods';

export interface EndpointRow {
  readonly id: string;
  readonly project_id: Tenant;
  readonly url: string;
  readonly events: EventType[];
  readonly status: 'active' | 'disabled';
  readonly disabled_at: Date | null;
  readonly disabled_reason: DisabledReason | null;
  /** For each element of `events`, the time since which the endpoint is subscribed to it; null means since the endpoint's creation. */
  readonly events_since: readonly (Date | null)[] | null;
  readonly first_failure_at: Date | null;
  /** The number of the current period. Deliveries of earlier periods can have ended. */
  readonly period: number;
  readonly created_at: Date;
}

/**
 * The PostgreSQL NOTIFY channel on which the IDs of changed and disabled endpoints are sent to the dispatchers of all processes, which can
 * have deliveries of these endpoints in memory.
 */
export const CHANGED_CHANNEL = 'webhooks_changed';

export type DisabledReason = 'requested' | 'gone' | 'failing';

/** Reads an endpoint of the caller's project. @throws ApiError resource_not_found */
export async function readEndpoint(db: Db, caller: Caller, id: string): Promise<EndpointRow> {
  const [row] = await db<EndpointRow[]>`
    select * from endpoints where project_id = ${caller.tenant} and id = ${id}`;
  return requireResource(caller, id, row);
}

/**
 * Reads one page of the project's endpoints, newest first.
 *
 * @throws ApiError validation_failed if the cursor names no endpoint of this list
 */
export function listEndpoints(
  db: Db,
  caller: Caller,
  query: ListQuery & { readonly status?: EndpointRow['status'] },
  toResource: (row: EndpointRow) => WebhookEndpoint,
): Promise<ListResult<WebhookEndpoint>> {
  const filters = [{ column: 'status', value: query.status }];
  return listPage(db, caller, { table: 'endpoints', hasSmallRows: true }, query, filters, toResource);
}

/**
 * Reads an endpoint of the caller's project and locks its row. Until the transaction ends, no other transaction can change the endpoint or
 * insert deliveries to this endpoint.
 *
 * @throws ApiError resource_not_found
 */
export async function lockEndpoint(tx: Tx, caller: Caller, id: string): Promise<EndpointRow> {
  const [row] = await tx<EndpointRow[]>`
    select * from endpoints where project_id = ${caller.tenant} and id = ${id} for update`;
  return requireResource(caller, id, row);
}

/**
 * Reads an endpoint of the caller's project and locks its row like {@link lockEndpoint}, but the intake of events does not wait and can
 * insert deliveries. This is sufficient for a transaction that does not change the endpoint.
 *
 * @throws ApiError resource_not_found
 */
export async function lockEndpointBesideIntake(tx: Tx, caller: Caller, id: string): Promise<EndpointRow> {
  const [row] = await tx<EndpointRow[]>`
    select * from endpoints where project_id = ${caller.tenant} and id = ${id} for no key update`;
  return requireResource(caller, id, row);
}

/**
 * Counts the project's active endpoints, and blocks other transactions that call this function for the project until the commit. The lock
 * is a separate SQL statement, because the count must see the endpoints that the previous holder of the lock committed.
 */
export async function lockActiveEndpoints(tx: Tx, tenant: Tenant): Promise<number> {
  await tx`select pg_advisory_xact_lock(hashtext('webhook endpoints'), hashtext(${tenant}))`;
  const [row] = await tx<{ active: number }[]>`
    select count(*) as active from endpoints where project_id = ${tenant} and status = 'active'`;
  if (row === undefined) throw new Error('the endpoints were not counted');
  return row.active;
}

/** Inserts an active endpoint. */
export async function insertEndpoint(
  tx: Tx,
  tenant: Tenant,
  endpoint: {
    readonly id: string;
    readonly url: string;
    readonly events: readonly string[];
  },
): Promise<EndpointRow> {
  const [row] = await tx<EndpointRow[]>`
    insert into endpoints (id, project_id, url, destination, events)
    values (${endpoint.id}, ${tenant}, ${endpoint.url}, ${destinationOf(endpoint.url)}, ${[...endpoint.events]})
    returning *`;
  if (row === undefined) throw new Error('the new endpoint was not returned');
  return row;
}

/**
 * Changes the URL and the events of a locked endpoint. A new URL clears first_failure_at. Pending deliveries of removed event types end.
 */
export async function changeEndpoint(
  tx: Tx,
  row: EndpointRow,
  change: { readonly url: string; readonly events: readonly string[] },
): Promise<void> {
  await tx`
    update endpoints e set url = ${change.url}, destination = ${destinationOf(change.url)}, events = ${[...change.events]},
      events_since = array(
        select case when chosen.type = any(e.events)
                    then coalesce(e.events_since[array_position(e.events, chosen.type)], e.created_at)
                    else platform.now() end
        from unnest(${[...change.events]}::text[]) with ordinality as chosen (type, position) order by chosen.position),
      first_failure_at = case when url = ${change.url} then first_failure_at end
    where project_id = ${row.project_id} and id = ${row.id}`;
  const removed = row.events.filter((type) => !change.events.includes(type));
  if (removed.length > 0) await endPendingDeliveries(tx, row.project_id, row.id, removed);
  await notifyOnCommit(tx, CHANGED_CHANNEL, row.id);
}

/** Reads the active endpoints of the tenant whose last attempt failed. The endpoint that has failed for the longest time is first. */
export async function failingEndpoints(db: Db, tenant: Tenant, limit: number) {
  return [
    ...(await db<{ id: string; url: string; failing_since: Date }[]>`
      select id, url, first_failure_at as failing_since from endpoints
      where project_id = ${tenant} and status = 'active' and first_failure_at is not null
      order by first_failure_at limit ${limit}`),
  ];
}

/**
 * Reads the tenant's endpoints that the service disabled after failed attempts, without those that a client disabled. The endpoint that was
 * disabled earliest is first.
 */
export async function endpointsDisabledByService(db: Db, tenant: Tenant, limit: number) {
  return [
    ...(await db<
      { id: string; url: string; disabled_at: Date; reason: Exclude<DisabledReason, 'requested'> }[]
    >`
      select id, url, disabled_at, disabled_reason as reason from endpoints
      where project_id = ${tenant} and disabled_reason in ('gone', 'failing')
      order by disabled_at limit ${limit}`),
  ];
}

/**
 * Enables a disabled endpoint and clears its first_failure_at. Events that were created before are delivered to it only if a client
 * recovers them.
 */
export async function enableEndpoint(tx: Tx, tenant: Tenant, id: string): Promise<void> {
  await tx`
    update endpoints set status = 'active', disabled_at = null, disabled_reason = null, first_failure_at = null,
      events_since = array_fill(platform.now(), array[cardinality(events)])
    where project_id = ${tenant} and id = ${id} and status = 'disabled'`;
}

/**
 * Makes the intake deliver events that were created from `since` on to an endpoint that is locked by FOR UPDATE, if the endpoint was enabled
 * or subscribed to their types between `since` and `until`. Such an event can arrive after a recovery has read the events of its period.
 */
export async function acceptLateEvents(tx: Tx, row: EndpointRow, since: Date, until: Date): Promise<void> {
  await tx`
    update endpoints set events_since = array(
      select case when known.at > ${since} and known.at <= ${until} then greatest(${since}, created_at) else known.at end
      from unnest(events_since) with ordinality as known (at, position) order by known.position)
    where project_id = ${row.project_id} and id = ${row.id} and status = 'active' and events_since is not null`;
}

/**
 * Disables an endpoint that is locked by FOR UPDATE. Its pending deliveries end; they can be recovered later.
 *
 * @param at the instant in a project with simulated time, if the work has not its time; null: now
 */
export async function disableEndpoint(
  tx: Tx,
  tenant: Tenant,
  id: string,
  reason: DisabledReason,
  at: Date | null = null,
): Promise<void> {
  const disabled = await tx`
    update endpoints set status = 'disabled', disabled_at = coalesce(${at}, platform.now()), disabled_reason = ${reason}
    where project_id = ${tenant} and id = ${id} and status = 'active' returning 1`;
  if (disabled.length > 0) await endPendingDeliveries(tx, tenant, id, null);
  await notifyOnCommit(tx, CHANGED_CHANNEL, id);
}

/** Counts the active endpoints of all projects with real time whose attempts have all failed for at least an hour. */
export async function countFailingEndpoints(db: Db): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*) as count from endpoints
    where status = 'active' and first_failure_at < platform.real_now() - interval '1 hour'
      and not platform.is_simulated(project_id)`;
  return row?.count ?? 0;
}
