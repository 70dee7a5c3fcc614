/**
 * Reads a message of the stream. Failure policy: what can't be understood is told apart from what can, never guessed at;
 * the consumer parks it.
 */
import { type EventType, eventTypes, isIdentifier, isPlainText, tryParseInstant } from '@carecover/contract';
import { parseTraceparent, type StreamedEvent } from '@carecover/platform';

/** An event as it came from the stream; `payload` is what receivers get, byte for byte. */
export interface IncomingEvent {
  readonly id: string;
  readonly projectId: string;
  readonly resourceId: string;
  readonly type: EventType;
  readonly payload: string;
  readonly createdAt: Date;
  /** The trace that its tries go on with; null where there is none. */
  readonly traceparent: string | null;
}

/** `carecover.events.<service>.<event type>`. */
const EVENT_SUBJECT = /^carecover\.events\.[a-z]+\.[a-z]+\.[a-z_]+$/;

/** Why a message can't be processed. */
export class UnreadableMessage extends Error {
  override readonly name = 'UnreadableMessage';
}

function parseObject(text: string, what: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UnreadableMessage(`${what} is not JSON`);
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw new UnreadableMessage(`${what} is not a JSON object`);
  }
  return { ...value };
}

function requireText(value: unknown, what: string): string {
  if (typeof value !== 'string' || value === '' || !isPlainText(value)) {
    throw new UnreadableMessage(`${what} is not a text`);
  }
  return value;
}

/**
 * @param subject says which service published it: NATS lets each publish its own event types alone
 * @param traceparent as the message's header has it; one that is none counts as absent
 * @throws UnreadableMessage
 */
export function readMessage(subject: string, data: Uint8Array, traceparent = ''): IncomingEvent {
  const message: Partial<Record<keyof StreamedEvent, unknown>> = parseObject(
    Buffer.from(data).toString('utf8'),
    'the message',
  );
  const payload = requireText(message.payload, 'payload');
  const event = parseObject(payload, 'the event');
  const id = requireText(event.id, 'id');
  if (!isIdentifier('event', id)) throw new UnreadableMessage('id is not the identifier of an event');
  const type = eventTypes.find((known) => known === event.type);
  if (type === undefined) throw new UnreadableMessage('type is not in the catalogue');
  // Else one service could send another's events under its own name.
  if (!EVENT_SUBJECT.test(subject) || !subject.endsWith(`.${type}`)) {
    throw new UnreadableMessage('the event is not of the type that its subject names');
  }
  const createdAt = tryParseInstant(requireText(event.created_at, 'created_at'));
  if (createdAt === undefined) throw new UnreadableMessage('created_at is not a time');
  return {
    id,
    projectId: requireText(message.project_id, 'project_id'),
    resourceId: requireText(message.resource_id, 'resource_id'),
    type,
    payload,
    createdAt: new Date(createdAt),
    traceparent: parseTraceparent(traceparent) === null ? null : traceparent,
  };
}
