/**
 * The outbox: an event exists if and only if its fact was committed, because both are one transaction. The relay takes
 * it to the stream.
 */
import { type Environment, EVENT_SCHEMA_VERSION, type EventType } from '@carecover/contract';
import { newId } from './ids';
import { type Db, jsonb, type Tx } from './postgres';
import type { Tenant } from './tenant';
import { activeSpan, beginSpan, SpanKind } from './tracing/spans';
import { formatTraceparent } from './tracing/traceparent';

export interface NewEvent {
  readonly tenant: Tenant;
  readonly environment: Environment;
  readonly type: EventType;
  readonly resourceId: string;
  /** Grows with each event of a resource; taken from its row under the lock. */
  readonly resourceVersion: number;
  readonly createdAt: Date;
  /** As the contract's event catalogue lists it: no lines, evidence, member or clinical identifier. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** The event as it is kept and sent, byte for byte. */
export function eventPayload(id: string, event: Omit<NewEvent, 'tenant' | 'resourceId'>): string {
  return JSON.stringify({
    id,
    object: 'event',
    type: event.type,
    schema_version: EVENT_SCHEMA_VERSION,
    resource_version: event.resourceVersion,
    created_at: event.createdAt.toISOString(),
    livemode: event.environment === 'production',
    data: event.data,
  });
}

/** How the spans of an event name it. */
export function eventAttributes(eventId: string, resourceId: string): Record<string, string> {
  return { 'carecover.event_id': eventId, 'carecover.resource_id': resourceId };
}

/** The event's row, with a span of its own as what its deliveries continue. Sends nothing. */
function toRow(event: NewEvent) {
  const id = newId('evt_');
  const { tenant, resourceId, type, createdAt } = event;
  const parent = activeSpan();
  const span =
    parent && beginSpan(parent, `event ${type}`, SpanKind.PRODUCER, eventAttributes(id, resourceId));
  span?.end();
  return {
    event_id: id,
    project_id: tenant,
    resource_id: resourceId,
    type,
    payload: eventPayload(id, event),
    created_at: createdAt.toISOString(),
    traceparent: span ? formatTraceparent(span.spanContext()) : null,
  };
}

function insertRows(db: Db, rows: readonly ReturnType<typeof toRow>[]) {
  return db`
    insert into outbox (event_id, project_id, resource_id, type, payload, created_at, traceparent)
    select event_id, project_id, resource_id, type, payload, created_at, traceparent
    from jsonb_to_recordset(${jsonb(db, rows)}) as event (event_id text, project_id text, resource_id text,
      type text, payload text, created_at timestamptz, traceparent text)`;
}

/**
 * SQL that appends events, in this order, to the outbox of the service whose transaction this is: a part of another statement
 * (`with event as (…)`), which commits more with it.
 */
export function appendEvents(db: Db, events: readonly NewEvent[]) {
  return insertRows(db, events.map(toRow));
}

/** Appends an event to the outbox of the service whose transaction this is; gives the event's id. */
export async function appendEvent(tx: Tx, event: NewEvent): Promise<string> {
  const row = toRow(event);
  await insertRows(tx, [row]);
  return row.event_id;
}
