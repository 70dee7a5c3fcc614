/** SQL of the deliveries and attempts of one endpoint. */
import { DELIVERY_HISTORY_LIMIT, type EventType } from '@carecover/contract';
import type { Caller, Tenant } from '@carecover/domain';
import {
  type Db,
  type ListQuery,
  type ListResult,
  listPage,
  notifyOnCommit,
  type Tx,
} from '@carecover/postgres';
import { DUE_CHANNEL } from './due-deliveries';
import { hasEndedPeriods } from './ended-periods';
import type { EndpointRow } from './endpoints';

export interface DeliveryRow {
  readonly id: string;
  readonly endpoint_id: string;
  readonly type: EventType;
  readonly status: 'pending' | 'delivered' | 'failed';
  readonly attempts: number;
  readonly response_status: number | null;
  readonly next_attempt_at: Date | null;
  readonly created_at: Date;
}

/** A row of the view `deliveries_in_full`. */
type DeliveryInFull = DeliveryRow & { readonly has_ended: boolean };

/** Returns the delivery as clients see it: a pending delivery that has ended is failed, also before a sweep has changed its row. */
function asSeenByClients<Row extends { readonly has_ended: boolean }>({ has_ended, ...row }: Row) {
  return has_ended ? { ...row, status: 'failed' as const, next_attempt_at: null } : row;
}

export interface AttemptRow {
  readonly endpoint_id: string;
  readonly event_id: string;
  readonly started_at: Date;
  readonly response_status: number | null;
  readonly duration_ms: number;
  readonly error: string | null;
  readonly response_excerpt: string | null;
}

/** The maximum number of attempts in the histories of a page of deliveries. */
const ATTEMPTS_OF_PAGE = 500;

/** Returns the first deliveries of a page whose histories together have at most {@link ATTEMPTS_OF_PAGE} attempts, and at least one. */
function withinAttempts(page: ListResult<DeliveryRow>): ListResult<DeliveryRow> {
  let attempts = 0;
  const end = page.data.findIndex((delivery, index) => {
    attempts += Math.min(delivery.attempts, DELIVERY_HISTORY_LIMIT);
    return index > 0 && attempts > ATTEMPTS_OF_PAGE;
  });
  return end === -1 ? page : { ...page, data: page.data.slice(0, end), has_more: true };
}

/**
 * Reads one page of an endpoint's deliveries, newest first. A token that can read the endpoint can read all of its deliveries.
 *
 * @throws ApiError validation_failed if the cursor names no delivery of this list
 */
export async function listDeliveries(
  db: Db,
  caller: Caller,
  endpoint: EndpointRow,
  query: ListQuery & { readonly status?: DeliveryRow['status'] },
): Promise<ListResult<DeliveryRow>> {
  const { status } = query;
  const ended = status === 'failed' ? db`or has_ended` : db`and not has_ended`;
  // The column filter uses an index. It is sufficient unless a sweep must still set deliveries to failed.
  const filters =
    status !== undefined && (await hasEndedPeriods(db, endpoint.id))
      ? [db`and (status = ${status} ${ended})`]
      : [{ column: 'status', value: status }];
  const allResources = { ...caller, resourceIds: null };
  const ofEndpoint = db`and endpoint_id = ${endpoint.id}`;
  const page = await listPage(
    db,
    allResources,
    { table: 'deliveries_in_full', hasSmallRows: true },
    query,
    filters,
    (row: DeliveryInFull) => asSeenByClients(row),
    ofEndpoint,
  );
  return withinAttempts(page);
}

/**
 * Reads the newest attempts of each of the given deliveries, at most {@link DELIVERY_HISTORY_LIMIT}, successful and failed, in the order of
 * their recording.
 */
export async function attemptsOf(
  db: Db,
  deliveries: readonly Pick<DeliveryRow, 'endpoint_id' | 'id'>[],
): Promise<AttemptRow[]> {
  const endpointIds = deliveries.map(({ endpoint_id }) => endpoint_id);
  const eventIds = deliveries.map(({ id }) => id);
  return [
    ...(await db<AttemptRow[]>`
      select a.endpoint_id, a.event_id, a.started_at, a.response_status, a.duration_ms, a.error, a.response_excerpt
      from unnest(${endpointIds}::text[], ${eventIds}::text[]) as d (endpoint_id, id) cross join lateral (
        select * from attempts where endpoint_id = d.endpoint_id and event_id = d.id
        order by seq desc limit ${DELIVERY_HISTORY_LIMIT}) a
      order by a.seq`),
  ];
}

/**
 * Starts a new round of attempts of a delivery to a locked endpoint, with the first attempt due now. Returns null if the endpoint has no
 * delivery of the event.
 */
export async function startNewRound(
  tx: Tx,
  endpoint: EndpointRow,
  eventId: string,
): Promise<DeliveryRow | null> {
  const [row] = await tx<DeliveryRow[]>`
    update deliveries d set status = 'pending', round = d.round + 1, round_attempts = 0, next_attempt_at = clock.at, leased_until = null,
      simulated_at = case when platform.is_simulated(d.project_id) then clock.at end, period = ${endpoint.period}
    from (select platform.now() as at) clock
    where d.project_id = ${endpoint.project_id} and d.endpoint_id = ${endpoint.id} and d.id = ${eventId}
    returning d.*`;
  if (row === undefined) return null;
  await notifyOnCommit(tx, DUE_CHANNEL, endpoint.id);
  return row;
}

/** A delivery of an event about one resource. */
export type DeliveryOfResource = Pick<
  DeliveryRow,
  'id' | 'endpoint_id' | 'type' | 'status' | 'attempts' | 'response_status' | 'next_attempt_at' | 'created_at'
> & { readonly url: string };

/** Reads the newest deliveries of the events about a resource of the tenant. */
export async function deliveriesOfResource(
  db: Db,
  tenant: Tenant,
  resourceId: string,
  limit: number,
): Promise<DeliveryOfResource[]> {
  const rows = await db<(DeliveryOfResource & Pick<DeliveryInFull, 'has_ended'>)[]>`
    select d.id, d.endpoint_id, d.type, d.status, d.has_ended, d.attempts, d.response_status, d.next_attempt_at, d.created_at, e.url
    from events join deliveries_in_full d using (id) join endpoints e on e.id = d.endpoint_id
    where events.resource_id = ${resourceId} and events.project_id = ${tenant} and d.project_id = ${tenant}
    order by events.id desc, d.endpoint_id limit ${limit}`;
  return rows.map(asSeenByClients);
}

/** An event, with all endpoints of its project and with the event's deliveries and their newest attempts. */
export interface EventDeliveries {
  readonly event: { readonly id: string; readonly type: EventType; readonly created_at: Date };
  readonly endpoints: readonly EndpointRow[];
  readonly deliveries: readonly DeliveryRow[];
  readonly attempts: readonly AttemptRow[];
}

/** Reads an event, the endpoints of its project and the event's deliveries; null if the project has no such event. */
export async function findEventDeliveries(
  db: Db,
  tenant: Tenant,
  eventId: string,
): Promise<EventDeliveries | null> {
  const [event] = await db<EventDeliveries['event'][]>`
    select id, type, created_at from events where project_id = ${tenant} and id = ${eventId}`;
  if (event === undefined) return null;
  const endpoints = await db<EndpointRow[]>`select * from endpoints where project_id = ${tenant} order by id`;
  const rows = await db<DeliveryInFull[]>`
    select * from deliveries_in_full where id = ${eventId} and project_id = ${tenant} order by endpoint_id`;
  const deliveries = rows.map(asSeenByClients);
  return { event, endpoints: [...endpoints], deliveries, attempts: await attemptsOf(db, deliveries) };
}
