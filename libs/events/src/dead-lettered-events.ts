/**
 * Dead-lettered events: events that the stream rejects whenever they are published, usually because of their size. They stay in the outbox
 * until an operator publishes or discards them. The relay skips them and publishes the later events of the same resource.
 *
 * The functions use the outbox of the service whose schema is first in the search path.
 */

import type { Tenant } from '@carecover/domain';
import type { Db, Tx } from '@carecover/postgres';
import { JetStreamApiError } from '@nats-io/jetstream';
import { InvalidArgumentError } from '@nats-io/transport-node';
import { OUTBOX_CHANNEL } from './outbox';

/** The error code of JetStream for a message that exceeds the maximum size. */
const MESSAGE_TOO_LARGE = 10_054;
const MAX_REASON_LENGTH = 500;

export interface DeadLetteredEvent {
  readonly event_id: string;
  readonly project_id: string;
  readonly resource_id: string;
  readonly type: string;
  /** Size of the event's JSON in bytes. */
  readonly bytes: number;
  readonly reason: string;
  readonly dead_lettered_at: Date;
}

/** Returns whether the error means that the stream, or the NATS client, would reject this message at every attempt to publish it. */
export function isPermanentRejection(error: unknown): error is Error {
  if (error instanceof InvalidArgumentError) return true;
  return error instanceof JetStreamApiError && error.code === MESSAGE_TOO_LARGE;
}

/** Marks an event of the outbox as dead-lettered, so that the relay skips it. */
export async function deadLetterEvent(db: Db, seq: number, reason: string): Promise<void> {
  await db`
    update outbox set dead_lettered_at = platform.now(), dead_letter_reason = ${reason.slice(0, MAX_REASON_LENGTH)}
    where seq = ${seq}`;
}

function columns(db: Db) {
  return db`
    event_id, project_id, resource_id, type, octet_length(payload) as bytes, dead_letter_reason as reason, dead_lettered_at`;
}

/**
 * Reads the dead-lettered events of one project, or of all projects if `tenant` is null, oldest first.
 *
 * @param limit the maximum number of events; by default, all are read
 */
export async function listDeadLetteredEvents(
  db: Db,
  tenant: Tenant | null,
  limit: number | null = null,
): Promise<DeadLetteredEvent[]> {
  return [
    ...(await db<DeadLetteredEvent[]>`
      select ${columns(db)} from outbox
      where dead_lettered_at is not null and (${tenant}::text is null or project_id = ${tenant})
      order by dead_lettered_at, seq limit ${limit}`),
  ];
}

/** Returns the JSON of a dead-lettered event, or null if none has this ID. */
export async function readDeadLetteredPayload(db: Db, eventId: string): Promise<string | null> {
  const [row] = await db<{ payload: string }[]>`
    select payload from outbox where event_id = ${eventId} and dead_lettered_at is not null`;
  return row?.payload ?? null;
}

/** Makes the relay publish a dead-lettered event again. Returns the event, or null if none has this ID. */
export async function republishDeadLetteredEvent(tx: Tx, eventId: string): Promise<DeadLetteredEvent | null> {
  const [event] = await tx<DeadLetteredEvent[]>`
    select ${columns(tx)} from outbox where event_id = ${eventId} and dead_lettered_at is not null for update`;
  await tx`update outbox set dead_lettered_at = null, dead_letter_reason = null where event_id = ${eventId}`;
  tx.notifyAfterCommit(OUTBOX_CHANNEL);
  return event ?? null;
}

/** Deletes a dead-lettered event: no receiver gets it. Returns the event, or null if none has this ID. */
export async function discardDeadLetteredEvent(tx: Tx, eventId: string): Promise<DeadLetteredEvent | null> {
  const [event] = await tx<DeadLetteredEvent[]>`
    delete from outbox where event_id = ${eventId} and dead_lettered_at is not null returning ${columns(tx)}`;
  return event ?? null;
}
