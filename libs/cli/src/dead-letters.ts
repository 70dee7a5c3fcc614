/**
 * Dead letters: events that the stream rejects, each in its service's outbox, and messages that the webhooks service can't parse. An
 * operator publishes a dead letter again or discards it. The audit entry is committed in the same transaction as the removal of the dead
 * letter.
 */
import { randomUUID } from 'node:crypto';
import type { ServiceName } from '@carecover/contract';
import {
  connectStream,
  type DeadLetteredEvent,
  discardDeadLetteredEvent,
  ensureStream,
  listDeadLetteredEvents,
  type NatsAccess,
  readDeadLetteredPayload,
  republishDeadLetteredEvent,
} from '@carecover/events';
import { audited, type Operator, OperatorError } from '@carecover/gateway';
import type { Sql, Tx } from '@carecover/postgres';
import type { DeadLetteredMessageRecord } from '@carecover/webhooks';
import { enterSchema } from './store/service-schemas';

/** The services that have an outbox. */
const OUTBOX_SERVICES = ['benefits', 'claims', 'payments'] as const satisfies readonly ServiceName[];
const EVENT_ID = /^evt_/;
const MESSAGE_DIGEST = /^[0-9a-f]{64}$/;

interface DeadLetter {
  /** The ID of an event in an outbox (`evt_…`), or the SHA-256 digest of a message, in hexadecimal. */
  readonly id: string;
  /** The service whose outbox contains the event; `webhooks` for a message. */
  readonly service: ServiceName;
  /** The event's type (`claim.settled`), or the message's subject on the stream. */
  readonly what: string;
  readonly bytes: number;
  readonly dead_lettered_at: Date;
  readonly reason: string;
}

const eventDeadLetter = (service: ServiceName, event: DeadLetteredEvent): DeadLetter => ({
  id: event.event_id,
  service,
  what: event.type,
  bytes: event.bytes,
  dead_lettered_at: event.dead_lettered_at,
  reason: event.reason,
});

const messageDeadLetter = (message: DeadLetteredMessageRecord): DeadLetter => ({
  id: message.digest,
  service: 'webhooks',
  what: message.subject,
  bytes: message.data.length,
  dead_lettered_at: message.dead_lettered_at,
  reason: message.reason,
});

/** Runs a query in the outbox of each service in turn until one has the event. @throws OperatorError if no outbox has the event */
async function findInOutboxes<T>(
  tx: Tx,
  id: string,
  query: () => Promise<T | null>,
): Promise<{ readonly service: ServiceName; readonly found: T }> {
  for (const service of EVENT_ID.test(id) ? OUTBOX_SERVICES : []) {
    await enterSchema(tx, service);
    const found = await query();
    if (found !== null) return { service, found };
  }
  throw notDeadLettered(id);
}

function notDeadLettered(id: string): OperatorError {
  return new OperatorError(`There is no dead letter ${id}.`);
}

/** Removes a message from the dead letters and returns it. @throws OperatorError if no dead-lettered message has the ID */
async function takeMessage(tx: Tx, id: string): Promise<DeadLetteredMessageRecord> {
  const { takeDeadLetteredMessage } = await import('@carecover/webhooks');
  await enterSchema(tx, 'webhooks');
  const message = MESSAGE_DIGEST.test(id) ? await takeDeadLetteredMessage(tx, id) : null;
  if (message === null) throw notDeadLettered(id);
  return message;
}

/** Lists all dead letters. */
export function listDeadLettered(sql: Sql): Promise<DeadLetter[]> {
  return sql.begin(async (tx) => {
    const { listDeadLetteredMessages } = await import('@carecover/webhooks');
    const deadLetters: DeadLetter[] = [];
    for (const service of OUTBOX_SERVICES) {
      await enterSchema(tx, service);
      deadLetters.push(
        ...(await listDeadLetteredEvents(tx, null)).map((event) => eventDeadLetter(service, event)),
      );
    }
    await enterSchema(tx, 'webhooks');
    return [...deadLetters, ...(await listDeadLetteredMessages(tx)).map(messageDeadLetter)];
  });
}

/** Returns the content of a dead letter as text. @throws OperatorError if no dead letter has the ID */
export function showDeadLettered(sql: Sql, id: string): Promise<string> {
  return sql.begin(async (tx) => {
    if (EVENT_ID.test(id)) return (await findInOutboxes(tx, id, () => readDeadLetteredPayload(tx, id))).found;
    const { listDeadLetteredMessages } = await import('@carecover/webhooks');
    await enterSchema(tx, 'webhooks');
    const message = (await listDeadLetteredMessages(tx)).find(({ digest }) => digest === id);
    if (message === undefined) throw notDeadLettered(id);
    return message.data.toString('utf8');
  });
}

async function publish(nats: NatsAccess, { subject, data, digest }: DeadLetteredMessageRecord) {
  const stream = await connectStream(nats, 'carecover-cli');
  try {
    await ensureStream(stream);
    // The message is published with a new message ID, because the stream drops a message whose ID it has received recently as a
    // duplicate.
    await stream.js.publish(subject, data, { msgID: `${digest}-${randomUUID()}` });
  } finally {
    await stream.close();
  }
}

/**
 * Publishes a dead letter again. A message is published before the transaction commits. If the command is interrupted in between, the
 * message remains a dead letter, and a repeated command publishes it a second time; the webhooks service stores its event once. A message
 * that still can't be parsed is dead-lettered again.
 *
 * @param nats returns the access to NATS; called only for a message
 * @throws OperatorError if no dead letter has the ID
 */
export function republishDeadLettered(
  sql: Sql,
  operator: Operator,
  id: string,
  nats: () => Promise<NatsAccess>,
): Promise<DeadLetter> {
  return audited(sql, operator, 'dead_letter.republish', async (tx) => {
    if (EVENT_ID.test(id)) {
      const { service, found } = await findInOutboxes(tx, id, () => republishDeadLetteredEvent(tx, id));
      return auditedChange(eventDeadLetter(service, found));
    }
    const message = await takeMessage(tx, id);
    await publish(await nats(), message);
    return auditedChange(messageDeadLetter(message));
  });
}

/** Deletes a dead letter: no receiver gets it. @throws OperatorError if no dead letter has the ID */
export function discardDeadLettered(sql: Sql, operator: Operator, id: string): Promise<DeadLetter> {
  return audited(sql, operator, 'dead_letter.discard', async (tx) => {
    if (EVENT_ID.test(id)) {
      const { service, found } = await findInOutboxes(tx, id, () => discardDeadLetteredEvent(tx, id));
      return auditedChange(eventDeadLetter(service, found));
    }
    return auditedChange(messageDeadLetter(await takeMessage(tx, id)));
  });
}

function auditedChange(deadLetter: DeadLetter) {
  const { id, service, what, reason } = deadLetter;
  return { subject: id, details: { service, what, reason }, result: deadLetter };
}
