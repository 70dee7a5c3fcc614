/** Endpoints as rows and as the API shows them. Every change of an endpoint takes its row lock first. */
import type { EventType, WebhookEndpoint } from '@carecover/contract';
import { type Caller, type Db, notifyOnCommit, requireResource, type Tx } from '@carecover/platform';
import { destinationOf } from '../delivery/destinations';

export interface EndpointRow {
  readonly id: string;
  readonly project_id: string;
  readonly url: string;
  readonly events: EventType[];
  readonly status: 'active' | 'disabled';
  readonly disabled_at: Date | null;
  readonly first_failure_at: Date | null;
  readonly created_at: Date;
}

/** Where an endpoint that was changed or disabled is told to dispatchers, which may hold deliveries to it as it was. */
export const CHANGED_CHANNEL = 'webhooks_changed';

export type DisabledReason = 'requested' | 'gone' | 'failing';

export function toEndpoint(row: EndpointRow): WebhookEndpoint {
  return {
    id: row.id,
    object: 'webhook_endpoint',
    url: row.url,
    events: row.events,
    status: row.status,
    created_at: row.created_at.toISOString(),
    disabled_at: row.disabled_at?.toISOString() ?? null,
  };
}

/** @throws ApiError resource_not_found */
export async function readEndpoint(db: Db, caller: Caller, id: string): Promise<EndpointRow> {
  const [row] = await db<EndpointRow[]>`
    select * from endpoints where id = ${id} and project_id = ${caller.tenant}`;
  return requireResource(caller, id, row);
}

/** As {@link readEndpoint}, and keeps others from changing it, and new deliveries from being made, until the commit. */
export async function lockEndpoint(tx: Tx, caller: Caller, id: string): Promise<EndpointRow> {
  const [row] = await tx<EndpointRow[]>`
    select * from endpoints where id = ${id} and project_id = ${caller.tenant} for update`;
  return requireResource(caller, id, row);
}

/**
 * Counts the project's active endpoints and keeps others from creating or opening one until the commit. The lock is a
 * statement of its own: the count must see what the lock's last holder committed.
 */
export async function lockActiveEndpoints(tx: Tx, caller: Caller): Promise<number> {
  await tx`select pg_advisory_xact_lock(hashtext('webhook endpoints'), hashtext(${caller.tenant}))`;
  const [row] = await tx<{ active: number }[]>`
    select count(*) as active from endpoints where project_id = ${caller.tenant} and status = 'active'`;
  if (row === undefined) throw new Error('the endpoints were not counted');
  return row.active;
}

export async function insertEndpoint(
  tx: Tx,
  endpoint: {
    readonly id: string;
    readonly tenant: string;
    readonly url: string;
    readonly events: readonly string[];
  },
): Promise<EndpointRow> {
  const [row] = await tx<EndpointRow[]>`
    insert into endpoints (id, project_id, url, destination, events)
    values (${endpoint.id}, ${endpoint.tenant}, ${endpoint.url}, ${destinationOf(endpoint.url)}, ${[...endpoint.events]})
    returning *`;
  if (row === undefined) throw new Error('the new endpoint was not returned');
  return row;
}

/** Changes where and what is sent. A new address begins with a clean record; what is no longer subscribed is not sent. */
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
        from unnest(${[...change.events]}::text[]) with ordinality as chosen (type, place) order by chosen.place),
      first_failure_at = case when url = ${change.url} then first_failure_at end
    where id = ${row.id}`;
  await failPending(tx, row.id, change.events);
}

/** Opens a disabled endpoint again, with a clean record; it listens from now on. */
export async function openEndpoint(tx: Tx, id: string): Promise<void> {
  await tx`
    update endpoints set status = 'active', disabled_at = null, disabled_reason = null, first_failure_at = null,
      events_since = array_fill(platform.now(), array[cardinality(events)])
    where id = ${id} and status = 'disabled'`;
}

/** Disables an endpoint whose row is locked: what it still awaits fails, and can be recovered later. */
export async function disableEndpoint(tx: Tx, id: string, reason: DisabledReason): Promise<void> {
  await tx`
    update endpoints set status = 'disabled', disabled_at = platform.now(), disabled_reason = ${reason}
    where id = ${id} and status = 'active'`;
  await failPending(tx, id, []);
}

/** Ends the tries of pending deliveries of other types than `except`, also of those that a dispatcher holds. */
async function failPending(tx: Tx, endpointId: string, except: readonly string[]): Promise<void> {
  await tx`
    with held as materialized (
      select id from deliveries
      where endpoint_id = ${endpointId} and status = 'pending' and type <> all(${[...except]}::text[])
      order by id for update
    )
    update deliveries d set status = 'failed', next_attempt_at = null, due_at = null
    from held where d.endpoint_id = ${endpointId} and d.id = held.id`;
  await notifyOnCommit(tx, CHANGED_CHANNEL, endpointId);
}
