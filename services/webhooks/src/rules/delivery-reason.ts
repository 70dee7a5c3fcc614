/** Explains to operators why an event was or was not delivered to an endpoint. Pure functions. */
import type { EventType } from '@carecover/contract';

/** The values of an endpoint as they are now. */
interface Endpoint {
  readonly events: readonly EventType[];
  /** The times since which the endpoint is subscribed to each of `events`, in their order. A null time, and null as a whole, mean: since its creation. */
  readonly events_since: readonly (Date | null)[] | null;
  readonly status: 'active' | 'disabled';
  readonly disabled_at: Date | null;
  readonly disabled_reason: 'requested' | 'gone' | 'failing' | null;
  readonly created_at: Date;
}

interface Delivery {
  readonly status: 'pending' | 'delivered' | 'failed';
  readonly attempts: number;
  readonly next_attempt_at: Date | null;
}

interface Attempt {
  readonly response_status: number | null;
  readonly error: string | null;
}

/** The action by which an operator can let an event be delivered; `none` if nothing is needed or nothing helps. */
type DeliveryRemedy = 'none' | 'wait' | 'redeliver' | 'enable_and_recover' | 'recover';

export interface DeliveryReason {
  readonly reason: string;
  readonly remedy: DeliveryRemedy;
}

const DISABLED = {
  requested: 'at its owner’s request',
  gone: 'because it responded with 410',
  failing: 'because all attempts failed for days',
} as const;

/**
 * Returns the reason why an event was or was not delivered to an endpoint, and the action that helps.
 *
 * @param delivery the event's delivery to the endpoint; null if there is none
 * @param last the latest attempt of the delivery; null if there is none
 */
export function deliveryReason(
  event: { readonly type: EventType; readonly created_at: Date },
  endpoint: Endpoint,
  delivery: Delivery | null,
  last: Attempt | null,
): DeliveryReason {
  if (delivery === null) return missingReason(event, endpoint);
  const attempts = attemptsText(delivery.attempts, last);
  if (delivery.status === 'delivered') return { reason: `delivered after ${attempts}`, remedy: 'none' };
  if (delivery.status === 'pending') {
    const next = delivery.next_attempt_at?.toISOString() ?? 'now';
    const reason =
      delivery.attempts === 0
        ? `waits for its first attempt at ${next}`
        : `${attempts}; the next attempt is at ${next}`;
    return { reason, remedy: 'wait' };
  }
  return endpoint.status === 'disabled'
    ? { reason: `failed after ${attempts}; ${disabledText(endpoint)}`, remedy: 'enable_and_recover' }
    : { reason: `failed after ${attempts}`, remedy: 'redeliver' };
}

function missingReason(
  { type, created_at }: { readonly type: EventType; readonly created_at: Date },
  endpoint: Endpoint,
): DeliveryReason {
  if (endpoint.created_at > created_at)
    return {
      reason: `the endpoint was registered later, at ${endpoint.created_at.toISOString()}`,
      remedy: 'none',
    };
  const position = endpoint.events.indexOf(type);
  if (position < 0) return { reason: `the endpoint is not subscribed to ${type}`, remedy: 'none' };
  if (endpoint.status === 'disabled') {
    const isUnwanted =
      endpoint.disabled_reason === 'requested' && (endpoint.disabled_at ?? created_at) <= created_at;
    return { reason: disabledText(endpoint), remedy: isUnwanted ? 'none' : 'enable_and_recover' };
  }
  const since = endpoint.events_since?.[position] ?? endpoint.created_at;
  const reason = `the endpoint was disabled or not subscribed to ${type} until ${since.toISOString()}`;
  return since > created_at
    ? { reason, remedy: 'recover' }
    : { reason: 'the delivery is not created yet', remedy: 'wait' };
}

function disabledText({ disabled_at, disabled_reason }: Endpoint): string {
  const why = disabled_reason === null ? '' : ` ${DISABLED[disabled_reason]}`;
  return `the endpoint was disabled${why} at ${disabled_at?.toISOString() ?? 'an unknown time'}`;
}

function attemptsText(count: number, last: Attempt | null): string {
  const attempts = count === 1 ? '1 attempt' : `${count} attempts`;
  if (last === null) return attempts;
  const outcome =
    last.response_status === null ? (last.error ?? 'no response') : `response ${last.response_status}`;
  return `${attempts}, the last with ${outcome}`;
}
