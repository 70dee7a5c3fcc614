/** SQL of the deliveries and attempts of one endpoint. */
import type { EventType } from '@carecover/contract';
import {
  type Caller,
  type Db,
  type ListQuery,
  type ListResult,
  listPage,
  notifyOnCommit,
  type Tenant,
  type Tx,
} from '@carecover/platform';
import type { EndpointRow } from './endpoints';

export interface DeliveryRow {
  readonly id: string;
  readonly endpoint_id: string;
  readonly type: EventType;
  readonly status: 'pending' | 'delivered' | 'failed';
  readonly attempts: number;
  readonly response_status: number | null;
  readonly next_attempt_at: Date | null;
}

/** The PostgreSQL NOTIFY channel on which the IDs of endpoints with new due deliveries are sent to the dispatchers of all processes. */
export const DUE_CHANNEL = 'webhooks_due';

export interface AttemptRow {
  readonly event_id: string;
  readonly started_at: Date;
  readonly response_status: number | null;
  readonly duration_ms: number;
  readonly error: string | null;
  readonly response_excerpt: string | null;
}

/**
 * Reads one page of an endpoint's deliveries, newest first. A token that can read the endpoint can read all of its deliveries.
 *
 * @throws ApiError validation_failed if the cursor names no delivery of this list
 */
export function listDeliveries(
  db: Db,
  caller: Caller,
  endpoint: EndpointRow,
  query: ListQuery & { readonly status?: DeliveryRow['status'] },
): Promise<ListResult<DeliveryRow>> {
  const filters = [{ column: 'status', value: query.status }];
  const allResources = { ...caller, resourceIds: null };
  const ofEndpoint = db`and endpoint_id = ${endpoint.id}`;
  return listPage(
    db,
    allResources,
    { table: 'deliveries', kind: 'event' },
    query,
    filters,
    (row: DeliveryRow) => row,
    ofEndpoint,
  );
}

/** Reads all attempts to deliver the given events to an endpoint, successful and failed, in the order of their recording. */
export async function attemptsOf(
  db: Db,
  endpoint: EndpointRow,
  eventIds: readonly string[],
): Promise<AttemptRow[]> {
  return [
    ...(await db<AttemptRow[]>`
      select event_id, started_at, response_status, duration_ms, error, response_excerpt from attempts
      where endpoint_id = ${endpoint.id} and event_id = any(${[...eventIds]}::text[])
      order by seq`),
  ];
}

/**
 * Starts a new round of attempts of a delivery, with the first attempt due now. Returns null if the endpoint has no delivery of the event.
 */
export async function startNewRound(
  tx: Tx,
  endpoint: EndpointRow,
  eventId: string,
): Promise<DeliveryRow | null> {
  const [row] = await tx<DeliveryRow[]>`
    update deliveries d set status = 'pending', round = d.round + 1, round_attempts = 0, next_attempt_at = clock.at, due_at = clock.at
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
  'id' | 'endpoint_id' | 'type' | 'status' | 'attempts' | 'response_status' | 'next_attempt_at'
> & { readonly created_at: Date; readonly url: string };

/** Reads the newest deliveries of the events about a resource of the tenant. */
export async function deliveriesOfResource(
  db: Db,
  tenant: Tenant,
  resourceId: string,
  limit: number,
): Promise<DeliveryOfResource[]> {
  return [
    ...(await db<DeliveryOfResource[]>`
      select d.id, d.endpoint_id, d.type, d.status, d.attempts, d.response_status, d.next_attempt_at, d.created_at, e.url
      from events join deliveries d using (id) join endpoints e on e.id = d.endpoint_id
      where events.resource_id = ${resourceId} and events.project_id = ${tenant} and d.project_id = ${tenant}
      order by events.id desc, d.endpoint_id limit ${limit}`),
  ];
}

/** An event, with all endpoints of its project and with the event's deliveries and their attempts. */
export interface EventDeliveries {
  readonly event: { readonly id: string; readonly type: EventType; readonly created_at: Date };
  readonly endpoints: readonly EndpointRow[];
  readonly deliveries: readonly DeliveryRow[];
  readonly attempts: readonly (AttemptRow & { readonly endpoint_id: string })[];
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
  const deliveries = await db<DeliveryRow[]>`
    select * from deliveries where id = ${eventId} and project_id = ${tenant} order by endpoint_id`;
  const attempts = await db<EventDeliveries['attempts'][number][]>`
    select endpoint_id, event_id, started_at, response_status, duration_ms, error, response_excerpt from attempts
    where endpoint_id = any(${deliveries.map(({ endpoint_id }) => endpoint_id)}::text[]) and event_id = ${eventId}
    order by seq`;
  return { event, endpoints: [...endpoints], deliveries: [...deliveries], attempts: [...attempts] };
}
