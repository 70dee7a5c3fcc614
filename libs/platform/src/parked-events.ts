/**
 * Events that the stream refuses for what they are, above all for their size: tried again they would be refused again, and keep
 * back later events of their resource for ever. They stay in the outbox, set aside, where a gauge tells of them and an operator
 * publishes them again or discards them. Whatever else the stream refuses is tried again, never set aside.
 *
 * Every function works on the schema that the search path names.
 */
import { JetStreamApiError } from '@nats-io/jetstream';
import { InvalidArgumentError } from '@nats-io/transport-node';
import type { Db, Tx } from './postgres';

/** JetStream: the message is larger than the stream takes. */
const MESSAGE_TOO_LARGE = 10_054;
const MAX_REASON_LENGTH = 500;

export interface ParkedEvent {
  readonly event_id: string;
  readonly project_id: string;
  readonly resource_id: string;
  readonly type: string;
  /** Of the event as receivers would get it. */
  readonly bytes: number;
  readonly reason: string;
  readonly parked_at: Date;
}

/** Whether this very message will be refused whenever it is published; the server's limits say so, or the client knows them. */
export function isRefusedForGood(error: unknown): error is Error {
  if (error instanceof InvalidArgumentError) return true;
  return error instanceof JetStreamApiError && error.code === MESSAGE_TOO_LARGE;
}

/** Sets an event of the outbox aside. */
export async function parkEvent(db: Db, seq: number, reason: string): Promise<void> {
  await db`
    update outbox set parked_at = platform.now(), parked_reason = ${reason.slice(0, MAX_REASON_LENGTH)}
    where seq = ${seq}`;
}

function columns(db: Db) {
  return db`
    event_id, project_id, resource_id, type, octet_length(payload) as bytes, parked_reason as reason, parked_at`;
}

/** The oldest first. */
export async function listParkedEvents(db: Db): Promise<ParkedEvent[]> {
  return [
    ...(await db<
      ParkedEvent[]
    >`select ${columns(db)} from outbox where parked_at is not null order by parked_at, seq`),
  ];
}

/** The JSON of a parked event; null where there is none of that id. */
export async function readParkedPayload(db: Db, eventId: string): Promise<string | null> {
  const [row] = await db<{ payload: string }[]>`
    select payload from outbox where event_id = ${eventId} and parked_at is not null`;
  return row?.payload ?? null;
}

/** Has the relay publish a parked event again; null where there is none of that id. */
export async function republishParkedEvent(tx: Tx, eventId: string): Promise<ParkedEvent | null> {
  const [event] = await tx<ParkedEvent[]>`
    select ${columns(tx)} from outbox where event_id = ${eventId} and parked_at is not null for update`;
  await tx`update outbox set parked_at = null, parked_reason = null where event_id = ${eventId}`;
  return event ?? null;
}

/** Removes a parked event: nobody will be told of its fact. Null where there is none of that id. */
export async function discardParkedEvent(tx: Tx, eventId: string): Promise<ParkedEvent | null> {
  const [event] = await tx<ParkedEvent[]>`
    delete from outbox where event_id = ${eventId} and parked_at is not null returning ${columns(tx)}`;
  return event ?? null;
}
