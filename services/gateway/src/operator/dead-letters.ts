/**
 * What was set aside on its way from a fact to those who are told: events that the stream rejects, each in its service's outbox,
 * and messages that the webhooks service could not understand. An operator publishes them again or discards them; either is
 * logged in the same commit.
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
  type Sql,
  type Tx,
} from '@carecover/platform';
import type { DeadLetteredMessageRecord } from '@carecover/webhooks';
import { audited, type Operator } from './audit';
import { OperatorError } from './operator-error';

/** The services with an outbox that a relay empties. */
const SOURCES = ['benefits', 'claims', 'payments'] as const satisfies readonly ServiceName[];
const EVENT = /^evt_/;
const DIGEST = /^[0-9a-f]{64}$/;

export interface DeadLetter {
  /** `evt_…` of an event in an outbox; the digest of a message, in hexadecimal. */
  readonly id: string;
  /** Whose outbox it is in; `webhooks` for a message. */
  readonly service: ServiceName;
  /** The event's type, or where the message was published. */
  readonly what: string;
  readonly bytes: number;
  readonly dead_lettered_at: Date;
  readonly reason: string;
}

const ofEvent = (service: ServiceName, event: DeadLetteredEvent): DeadLetter => ({
  id: event.event_id,
  service,
  what: event.type,
  bytes: event.bytes,
  dead_lettered_at: event.dead_lettered_at,
  reason: event.reason,
});

const ofMessage = (message: DeadLetteredMessageRecord): DeadLetter => ({
  id: message.digest,
  service: 'webhooks',
  what: message.subject,
  bytes: message.data.length,
  dead_lettered_at: message.dead_lettered_at,
  reason: message.reason,
});

async function enter(tx: Tx, service: ServiceName): Promise<void> {
  await tx`select set_config('search_path', ${service}, true)`;
}

/** What the first service that knows the event says of it. @throws OperatorError where none does */
async function atItsService<T>(
  tx: Tx,
  id: string,
  ask: () => Promise<T | null>,
): Promise<{ readonly service: ServiceName; readonly answer: T }> {
  for (const service of EVENT.test(id) ? SOURCES : []) {
    await enter(tx, service);
    const answer = await ask();
    if (answer !== null) return { service, answer };
  }
  throw notDeadLettered(id);
}

function notDeadLettered(id: string): OperatorError {
  return new OperatorError(`Nothing is dead-lettered under ${id}.`);
}

/** @throws OperatorError where there is no such message */
async function takeMessage(tx: Tx, id: string): Promise<DeadLetteredMessageRecord> {
  const { takeDeadLetteredMessage } = await import('@carecover/webhooks');
  await enter(tx, 'webhooks');
  const message = DIGEST.test(id) ? await takeDeadLetteredMessage(tx, id) : null;
  if (message === null) throw notDeadLettered(id);
  return message;
}

/** Everything that is dead-lettered. */
export function listDeadLettered(sql: Sql): Promise<DeadLetter[]> {
  return sql.begin(async (tx) => {
    const { listDeadLetteredMessages } = await import('@carecover/webhooks');
    const deadLetters: DeadLetter[] = [];
    for (const service of SOURCES) {
      await enter(tx, service);
      deadLetters.push(...(await listDeadLetteredEvents(tx)).map((event) => ofEvent(service, event)));
    }
    await enter(tx, 'webhooks');
    return [...deadLetters, ...(await listDeadLetteredMessages(tx)).map(ofMessage)];
  });
}

/** The bytes of one, as text. @throws OperatorError where nothing is dead-lettered under the id */
export function showDeadLettered(sql: Sql, id: string): Promise<string> {
  return sql.begin(async (tx) => {
    if (EVENT.test(id)) return (await atItsService(tx, id, () => readDeadLetteredPayload(tx, id))).answer;
    const { listDeadLetteredMessages } = await import('@carecover/webhooks');
    await enter(tx, 'webhooks');
    const message = (await listDeadLetteredMessages(tx)).find(({ digest }) => digest === id);
    if (message === undefined) throw notDeadLettered(id);
    return message.data.toString('utf8');
  });
}

async function publish(nats: NatsAccess, { subject, data, digest }: DeadLetteredMessageRecord) {
  const stream = await connectStream(nats, 'carecover-cli');
  try {
    await ensureStream(stream);
    // Never a message id that the stream has seen of late: it would drop this one as a repetition.
    await stream.js.publish(subject, data, { msgID: `${digest}-${randomUUID()}` });
  } finally {
    await stream.close();
  }
}

/**
 * Publishes one again. A message is on the stream before it is no longer dead-lettered, so what is interrupted is published twice, and
 * taken in once; one that is still not understood is dead-lettered again.
 *
 * @param nats gives the access to NATS, which a message needs
 * @throws OperatorError where nothing is dead-lettered under the id
 */
export function republishDeadLettered(
  sql: Sql,
  operator: Operator,
  id: string,
  nats: () => Promise<NatsAccess>,
): Promise<DeadLetter> {
  return audited(sql, operator, 'dead_letter.republish', async (tx) => {
    if (EVENT.test(id)) {
      const { service, answer } = await atItsService(tx, id, () => republishDeadLetteredEvent(tx, id));
      return described(ofEvent(service, answer));
    }
    const message = await takeMessage(tx, id);
    await publish(await nats(), message);
    return described(ofMessage(message));
  });
}

/** Discards one: nobody will be told. @throws OperatorError where nothing is dead-lettered under the id */
export function discardDeadLettered(sql: Sql, operator: Operator, id: string): Promise<DeadLetter> {
  return audited(sql, operator, 'dead_letter.discard', async (tx) => {
    if (EVENT.test(id)) {
      const { service, answer } = await atItsService(tx, id, () => discardDeadLetteredEvent(tx, id));
      return described(ofEvent(service, answer));
    }
    return described(ofMessage(await takeMessage(tx, id)));
  });
}

/** As it is logged. */
function described(deadLetter: DeadLetter) {
  const { id, service, what, reason } = deadLetter;
  return { subject: id, details: { service, what, reason }, result: deadLetter };
}
