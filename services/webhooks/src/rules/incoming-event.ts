/** Parses a message of the stream. Failure policy: an invalid message is rejected as a whole, and the consumer dead-letters it. */
import { type EventType, eventTypes, isIdentifier, isPlainText, tryParseInstant } from '@carecover/contract';
import { isTraceparent, type StreamedEvent } from '@carecover/platform';

/** An event of the stream. */
export interface IncomingEvent {
  readonly id: string;
  readonly projectId: string;
  readonly resourceId: string;
  readonly type: EventType;
  /** The JSON that receivers get, byte for byte. */
  readonly payload: string;
  readonly createdAt: Date;
  /** The trace that the attempts resume; null if there is none. */
  readonly traceparent: string | null;
}

/** `carecover.events.<service>.<event type>`. */
const EVENT_SUBJECT = /^carecover\.events\.[a-z]+\.[a-z]+\.[a-z_]+$/;

/** A message that can't be parsed; `message` is the reason. */
export class InvalidMessage extends Error {
  override readonly name = 'InvalidMessage';
}

function parseObject(text: string, what: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new InvalidMessage(`${what} is not JSON`);
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw new InvalidMessage(`${what} is not a JSON object`);
  }
  return { ...value };
}

function requireString(value: unknown, what: string): string {
  if (typeof value !== 'string' || value === '' || !isPlainText(value)) {
    throw new InvalidMessage(`${what} is not a non-empty string`);
  }
  return value;
}

/**
 * Parses and validates a message.
 *
 * @param subject names the publishing service: NATS permits each service only the subjects of its own event types
 * @param traceparent the header of the message; an invalid value counts as absent
 * @throws InvalidMessage
 */
export function parseMessage(subject: string, data: Uint8Array, traceparent = ''): IncomingEvent {
  const message: Partial<Record<keyof StreamedEvent, unknown>> = parseObject(
    Buffer.from(data).toString('utf8'),
    'the message',
  );
  const payload = requireString(message.payload, 'payload');
  const event = parseObject(payload, 'the event');
  const id = requireString(event.id, 'id');
  if (!isIdentifier('event', id)) throw new InvalidMessage('id is not an event ID');
  const type = eventTypes.find((known) => known === event.type);
  if (type === undefined) throw new InvalidMessage('type is not a known event type');
  // Otherwise a service could publish events of another service under its own subject.
  if (!EVENT_SUBJECT.test(subject) || !subject.endsWith(`.${type}`)) {
    throw new InvalidMessage('the event type differs from the subject');
  }
  const createdAt = tryParseInstant(requireString(event.created_at, 'created_at'));
  if (createdAt === undefined) throw new InvalidMessage('created_at is not a time');
  return {
    id,
    projectId: requireString(message.project_id, 'project_id'),
    resourceId: requireString(message.resource_id, 'resource_id'),
    type,
    payload,
    createdAt: new Date(createdAt),
    traceparent: isTraceparent(traceparent) ? traceparent : null,
  };
}
