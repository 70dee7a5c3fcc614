/**
 * What was set aside on its way from a fact to those who are told: events that the stream refuses, each in its service's outbox,
 * and messages that the webhooks service could not understand. An operator publishes them again or discards them; either is
 * logged in the same commit.
 */
import { randomUUID } from 'node:crypto';
import type { ServiceName } from '@carecover/contract';
import {
  connectStream,
  discardParkedEvent,
  ensureStream,
  listParkedEvents,
  type NatsAccess,
  type ParkedEvent,
  readParkedPayload,
  republishParkedEvent,
  type Sql,
  type Tx,
} from '@carecover/platform';
import type { ParkedMessageRecord } from '@carecover/webhooks';
import { audited, type Operator } from './audit';
import { OperatorError } from './operator-error';

/** The services with an outbox that a relay empties. */
const SOURCES = ['benefits', 'claims', 'payments'] as const satisfies readonly ServiceName[];
const EVENT = /^evt_/;
const DIGEST = /^[0-9a-f]{64}$/;

export interface Parked {
  /** `evt_…` of an event in an outbox; the digest of a message, in hexadecimal. */
  readonly id: string;
  /** Whose outbox it is in; `webhooks` for a message. */
  readonly service: ServiceName;
  /** The event's type, or where the message was published. */
  readonly what: string;
  readonly bytes: number;
  readonly parked_at: Date;
  readonly reason: string;
}

const ofEvent = (service: ServiceName, event: ParkedEvent): Parked => ({
  id: event.event_id,
  service,
  what: event.type,
  bytes: event.bytes,
  parked_at: event.parked_at,
  reason: event.reason,
});

const ofMessage = (message: ParkedMessageRecord): Parked => ({
  id: message.digest,
  service: 'webhooks',
  what: message.subject,
  bytes: message.data.length,
  parked_at: message.parked_at,
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
  throw notParked(id);
}

function notParked(id: string): OperatorError {
  return new OperatorError(`Nothing is parked under ${id}.`);
}

/** @throws OperatorError where there is no such message */
async function takeMessage(tx: Tx, id: string): Promise<ParkedMessageRecord> {
  const { takeParkedMessage } = await import('@carecover/webhooks');
  await enter(tx, 'webhooks');
  const message = DIGEST.test(id) ? await takeParkedMessage(tx, id) : null;
  if (message === null) throw notParked(id);
  return message;
}

/** Everything that is parked. */
export function listParked(sql: Sql): Promise<Parked[]> {
  return sql.begin(async (tx) => {
    const { listParkedMessages } = await import('@carecover/webhooks');
    const parked: Parked[] = [];
    for (const service of SOURCES) {
      await enter(tx, service);
      parked.push(...(await listParkedEvents(tx)).map((event) => ofEvent(service, event)));
    }
    await enter(tx, 'webhooks');
    return [...parked, ...(await listParkedMessages(tx)).map(ofMessage)];
  });
}

/** The bytes of one, as text. @throws OperatorError where nothing is parked under the id */
export function showParked(sql: Sql, id: string): Promise<string> {
  return sql.begin(async (tx) => {
    if (EVENT.test(id)) return (await atItsService(tx, id, () => readParkedPayload(tx, id))).answer;
    const { listParkedMessages } = await import('@carecover/webhooks');
    await enter(tx, 'webhooks');
    const message = (await listParkedMessages(tx)).find(({ digest }) => digest === id);
    if (message === undefined) throw notParked(id);
    return message.data.toString('utf8');
  });
}

async function publish(nats: NatsAccess, { subject, data, digest }: ParkedMessageRecord) {
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
 * Publishes one again. A message is on the stream before it is no longer parked, so what is interrupted is published twice, and
 * taken in once; one that is still not understood is parked again.
 *
 * @param nats gives the access to NATS, which a message needs
 * @throws OperatorError where nothing is parked under the id
 */
export function republishParked(
  sql: Sql,
  operator: Operator,
  id: string,
  nats: () => Promise<NatsAccess>,
): Promise<Parked> {
  return audited(sql, operator, 'parked.republish', async (tx) => {
    if (EVENT.test(id)) {
      const { service, answer } = await atItsService(tx, id, () => republishParkedEvent(tx, id));
      return described(ofEvent(service, answer));
    }
    const message = await takeMessage(tx, id);
    await publish(await nats(), message);
    return described(ofMessage(message));
  });
}

/** Discards one: nobody will be told. @throws OperatorError where nothing is parked under the id */
export function discardParked(sql: Sql, operator: Operator, id: string): Promise<Parked> {
  return audited(sql, operator, 'parked.discard', async (tx) => {
    if (EVENT.test(id)) {
      const { service, answer } = await atItsService(tx, id, () => discardParkedEvent(tx, id));
      return described(ofEvent(service, answer));
    }
    return described(ofMessage(await takeMessage(tx, id)));
  });
}

/** As it is logged. */
function described(parked: Parked) {
  const { id, service, what, reason } = parked;
  return { subject: id, details: { service, what, reason }, result: parked };
}
