/**
 * The outbox: an event exists if and only if its fact was committed, because both are one transaction. The relay takes
 * it to the stream.
 */
import { type Environment, EVENT_SCHEMA_VERSION, type EventType } from '@carecover/contract';
import { newId } from './ids';
import type { Tx } from './postgres';
import type { Tenant } from './tenant';
import { activeTraceparent, SpanKind, traced } from './tracing/spans';

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

/** Appends an event to the outbox of the service whose transaction this is; gives the event's id. */
export async function appendEvent(tx: Tx, event: NewEvent): Promise<string> {
  const id = newId('evt_');
  const { tenant, resourceId, type, createdAt } = event;
  const insert = async () => {
    await tx`
      insert into outbox (event_id, project_id, resource_id, type, payload, created_at, traceparent)
      values (${id}, ${tenant}, ${resourceId}, ${type}, ${eventPayload(id, event)}, ${createdAt}, ${activeTraceparent()})`;
  };
  await traced(`event ${type}`, SpanKind.PRODUCER, insert, eventAttributes(id, resourceId));
  return id;
}
