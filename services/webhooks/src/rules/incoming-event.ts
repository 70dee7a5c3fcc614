/** Parses messages of the stream. Failure policy: an invalid message is rejected as a whole, and the consumer dead-letters it. */
import { type EventType, eventTypes, isIdentifier, isPlainText, tryParseInstant } from '@carecover/contract';
import { isTraceparent, type StreamedEvent } from '@carecover/domain';

/** An event as a message of the stream contains it. */
export interface IncomingEvent {
  readonly id: string;
  readonly projectId: string;
  readonly resourceId: string;
  readonly type: EventType;
  /** The JSON of the event, byte for byte as receivers get it. */
  readonly payload: string;
  readonly createdAt: Date;
  /** The trace context that the attempts resume; null if there is none. */
  readonly traceparent: string | null;
}

/** Matches the subjects of events: `carecover.events.<service>.<event type>`. */
const EVENT_SUBJECT = /^carecover\.events\.[a-z]+\.[a-z_]+\.[a-z_]+$/;

/** Thrown for a message of the stream that can't be parsed; `message` is the reason. */
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
 * Parses and validates a message of the stream.
 *
 * @param subject the message's subject; NATS permits each service to publish only on the subjects of its own event types
 * @param traceparent the message's header with the trace context; an invalid value is ignored
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
  // Without this check a service could publish an event type of another service on a subject of its own.
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
