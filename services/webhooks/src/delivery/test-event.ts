/** Sends a test event (sandbox.ping) with few and short attempts, because the client waits for the result. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Environment, TEST_EVENT_TYPE, WEBHOOK_TEST } from '@carecover/contract';
import { eventPayload } from '@carecover/events';
import { destinationOf } from '../address/endpoint-url';
import type { TestAttempt } from '../rules/attempt-outcome';
import type { DeliveryCapacity } from './capacity';
import type { OutgoingRequest, Sender } from './sender';

/** The pause in milliseconds before the next attempt, unless the receiver requests a longer one. */
const PAUSE_MS = 200;

/** Returns the JSON of a test event. */
export function testEventPayload(id: string, environment: Environment, createdAt: Date): string {
  return eventPayload(id, {
    type: TEST_EVENT_TYPE,
    environment,
    resourceVersion: 1,
    createdAt,
    data: { message: 'pong' },
  });
}

/**
 * Makes at most three attempts of a test event within ten seconds, until the receiver accepts it. An attempt waits for the delay that the
 * receiver requested and for a slot of the destination, but only while its full timeout still fits into the ten seconds. Returns all
 * attempts; null if the sender was closed meanwhile, so that the outcome of the last attempt is unknown.
 *
 * @throws ApiError service_unavailable if no slot became free for the first attempt
 */
export async function sendTestEvent(
  sender: Sender,
  capacity: DeliveryCapacity,
  project: string,
  outgoingRequest: OutgoingRequest,
): Promise<TestAttempt[] | null> {
  const destination = destinationOf(outgoingRequest.url);
  const startedMs = performance.now();
  const elapsedMs = () => Math.round(performance.now() - startedMs);
  const attempts: TestAttempt[] = [];
  // The duration of an attempt is counted as at most its timeout, so that a late timer of this process does not prevent a further attempt.
  let spentMs = 0;
  for (let pauseMs = 0; ; ) {
    const waitMs = WEBHOOK_TEST.totalMs - WEBHOOK_TEST.timeoutMs - spentMs;
    if (waitMs < 0) return attempts;
    await sleep(pauseMs);
    const beforeMs = elapsedMs();
    try {
      await capacity.acquireSlot(destination, project, waitMs);
    } catch (error) {
      if (attempts.length === 0) throw error;
      return attempts;
    }
    const afterMs = elapsedMs();
    const outcome = await sender
      .send(outgoingRequest, WEBHOOK_TEST.timeoutMs)
      .finally(() => capacity.releaseSlot(destination));
    if (outcome === null) return null;
    attempts.push({ afterMs, outcome });
    if (outcome.accepted || attempts.length === WEBHOOK_TEST.attempts) return attempts;
    pauseMs = Math.max(PAUSE_MS, outcome.requestedDelayMs ?? 0);
    spentMs += afterMs - beforeMs + Math.min(outcome.durationMs, WEBHOOK_TEST.timeoutMs) + pauseMs;
  }
}
