/**
 * Events that the stream rejects for what they are, above all for their size: tried again they would be refused again, and keep
 * back later events of their resource for ever. They stay in the outbox, set aside, where a gauge tells of them and an operator
 * publishes them again or discards them. Whatever else the stream rejects is tried again, never set aside.
 *
 * Every function works on the schema that the search path names.
 */
import { JetStreamApiError } from '@nats-io/jetstream';
import { InvalidArgumentError } from '@nats-io/transport-node';
import type { Db, Tx } from './postgres';

/** JetStream: the message is larger than the stream takes. */
const MESSAGE_TOO_LARGE = 10_054;
const MAX_REASON_LENGTH = 500;

export interface DeadLetteredEvent {
  readonly event_id: string;
  readonly project_id: string;
  readonly resource_id: string;
  readonly type: string;
  /** Of the event as receivers would get it. */
  readonly bytes: number;
  readonly reason: string;
  readonly dead_lettered_at: Date;
}

/** Whether this very message will be refused whenever it is published; the server's limits say so, or the client knows them. */
export function isRejectedForGood(error: unknown): error is Error {
  if (error instanceof InvalidArgumentError) return true;
  return error instanceof JetStreamApiError && error.code === MESSAGE_TOO_LARGE;
}

/** Sets an event of the outbox aside. */
export async function deadLetterEvent(db: Db, seq: number, reason: string): Promise<void> {
  await db`
    update outbox set dead_lettered_at = platform.now(), dead_letter_reason = ${reason.slice(0, MAX_REASON_LENGTH)}
    where seq = ${seq}`;
}

function columns(db: Db) {
  return db`
    event_id, project_id, resource_id, type, octet_length(payload) as bytes, dead_letter_reason as reason, dead_lettered_at`;
}

/** The oldest first. */
export async function listDeadLetteredEvents(db: Db): Promise<DeadLetteredEvent[]> {
  return [
    ...(await db<
      DeadLetteredEvent[]
    >`select ${columns(db)} from outbox where dead_lettered_at is not null order by dead_lettered_at, seq`),
  ];
}

/** The JSON of a dead-lettered event; null where there is none of that id. */
export async function readDeadLetteredPayload(db: Db, eventId: string): Promise<string | null> {
  const [row] = await db<{ payload: string }[]>`
    select payload from outbox where event_id = ${eventId} and dead_lettered_at is not null`;
  return row?.payload ?? null;
}

/** Has the relay publish a dead-lettered event again; null where there is none of that id. */
export async function republishDeadLetteredEvent(tx: Tx, eventId: string): Promise<DeadLetteredEvent | null> {
  const [event] = await tx<DeadLetteredEvent[]>`
    select ${columns(tx)} from outbox where event_id = ${eventId} and dead_lettered_at is not null for update`;
  await tx`update outbox set dead_lettered_at = null, dead_letter_reason = null where event_id = ${eventId}`;
  return event ?? null;
}

/** Removes a dead-lettered event: nobody will be told of its fact. Null where there is none of that id. */
export async function discardDeadLetteredEvent(tx: Tx, eventId: string): Promise<DeadLetteredEvent | null> {
  const [event] = await tx<DeadLetteredEvent[]>`
    delete from outbox where event_id = ${eventId} and dead_lettered_at is not null returning ${columns(tx)}`;
  return event ?? null;
}
