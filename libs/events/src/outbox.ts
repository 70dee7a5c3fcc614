/**
 * The outbox: a service inserts events in the transaction that commits their facts, so an event exists if and only if its fact
 * exists. The relay publishes them to the stream.
 */

import { EVENT_SCHEMA_VERSION } from '@carecover/contract';
import { type NewEvent, newId } from '@carecover/domain';
import { jsonb, type Tx } from '@carecover/postgres';
import { activeSpan, SpanKind, startSpanBelow, traceparentOf } from '@carecover/telemetry';

/** The channel of the notification that the relay waits for, without the schema. */
export const OUTBOX_CHANNEL = 'outbox';

/** Returns the JSON of the event. Receivers get these bytes. */
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

/** Returns the attributes that identify the event on its spans. */
export function eventAttributes(eventId: string, resourceId: string): Record<string, string> {
  return { 'carecover.event_id': eventId, 'carecover.resource_id': resourceId };
}

/**
 * Makes the row of an event. If the request is traced, the event gets a span, which is the parent of the spans of the event's deliveries.
 */
function toRow(event: NewEvent) {
  const id = newId('evt_');
  const { tenant, resourceId, type } = event;
  const parent = activeSpan();
  const span =
    parent && startSpanBelow(parent, `event ${type}`, SpanKind.PRODUCER, eventAttributes(id, resourceId));
  span?.end();
  return {
    event_id: id,
    project_id: tenant,
    resource_id: resourceId,
    type,
    payload: eventPayload(id, event),
    traceparent: span ? traceparentOf(span) : null,
  };
}

function insertRows(tx: Tx, rows: readonly ReturnType<typeof toRow>[]) {
  tx.notifyAfterCommit(OUTBOX_CHANNEL);
  return tx`
    insert into outbox (event_id, project_id, resource_id, type, payload, traceparent)
    select event_id, project_id, resource_id, type, payload, traceparent
    from jsonb_to_recordset(${jsonb(rows)}) as event (event_id text, project_id text, resource_id text,
      type text, payload text, traceparent text)`;
}

/**
 * Makes SQL that appends events to the service's outbox, in the given order. The SQL is a part of another statement.
 *
 * @example await tx`with event as (${appendEvents(tx, events)}) update …`
 */
export function appendEvents(tx: Tx, events: readonly NewEvent[]) {
  return insertRows(tx, events.map(toRow));
}

/** Appends an event to the service's outbox. The age of the row is real, also in a project with simulated time. Returns the event's ID. */
export async function appendEvent(tx: Tx, event: NewEvent): Promise<string> {
  const row = toRow(event);
  await insertRows(tx, [row]);
  return row.event_id;
}
