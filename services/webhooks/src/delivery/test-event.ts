/** Sends a test event, with few and short attempts, because the client waits for the result. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Environment, TEST_EVENT_TYPE, WEBHOOK_TEST } from '@carecover/contract';
import { eventPayload } from '@carecover/platform';
import { destinationOf } from '../address/endpoint-url';
import type { TestAttempt } from '../rules/attempt-outcome';
import type { DestinationSlots } from './destination-slots';
import type { OutgoingRequest, Sender } from './sender';

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
 * Makes at most three attempts within ten seconds, until the receiver accepts. Returns every attempt, or null if the sender was
 * closed in the meantime: then the result of the last one is unknown. Each attempt takes a slot of the destination. It waits for a slot only
 * while its full timeout still fits into the ten seconds.
 *
 * @throws ApiError service_unavailable if no slot became free for the first attempt
 */
export async function sendTestEvent(
  sender: Sender,
  slots: DestinationSlots,
  project: string,
  outgoingRequest: OutgoingRequest,
): Promise<TestAttempt[] | null> {
  const destination = destinationOf(outgoingRequest.url);
  const startedMs = performance.now();
  const elapsedMs = () => Math.round(performance.now() - startedMs);
  const attempts: TestAttempt[] = [];
  // Sums timeouts, not elapsed time, so that a late timer of this process costs no attempt.
  let spentMs = 0;
  for (;;) {
    const waitMs = WEBHOOK_TEST.totalMs - WEBHOOK_TEST.timeoutMs - spentMs;
    if (waitMs < 0) return attempts;
    const beforeMs = elapsedMs();
    try {
      await slots.acquire(destination, project, waitMs);
    } catch (error) {
      if (attempts.length === 0) throw error;
      return attempts;
    }
    const afterMs = elapsedMs();
    const outcome = await sender
      .send(outgoingRequest, WEBHOOK_TEST.timeoutMs)
      .finally(() => slots.release(destination));
    if (outcome === null) return null;
    attempts.push({ afterMs, outcome });
    if (outcome.accepted || attempts.length === WEBHOOK_TEST.attempts) return attempts;
    spentMs += afterMs - beforeMs + Math.min(outcome.durationMs, WEBHOOK_TEST.timeoutMs) + PAUSE_MS;
    await sleep(PAUSE_MS);
  }
}
