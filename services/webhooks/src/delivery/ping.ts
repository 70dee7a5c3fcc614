/** The test event: sent while its caller waits, so with few, short tries. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Environment, TEST_EVENT_TYPE, WEBHOOK_TEST } from '@carecover/contract';
import { eventPayload } from '@carecover/platform';
import { type Destinations, destinationOf } from './destinations';
import type { Outcome, OutgoingRequest, Sender } from './sender';

const PAUSE_MS = 200;

export function pingPayload(id: string, environment: Environment, createdAt: Date): string {
  return eventPayload(id, {
    type: TEST_EVENT_TYPE,
    environment,
    resourceVersion: 1,
    createdAt,
    data: { message: 'pong' },
  });
}

export interface PingTry {
  /** Milliseconds after the first try's start. */
  readonly afterMs: number;
  readonly outcome: Outcome;
}

/**
 * Makes at most three attempts within ten seconds, until the receiver accepts; returns every attempt. Null where the sender was
 * closed meanwhile: then nothing is known of the last one. Each attempt takes a slot of the destination, and waits for it in the
 * project's line as long as the attempt has its full time afterwards.
 *
 * @throws ApiError service_unavailable where no slot became free for the first attempt
 */
export async function tryPing(
  sender: Sender,
  destinations: Destinations,
  project: string,
  outgoingRequest: OutgoingRequest,
): Promise<PingTry[] | null> {
  const destination = destinationOf(outgoingRequest.url);
  const startedMs = performance.now();
  const elapsedMs = () => Math.round(performance.now() - startedMs);
  const tries: PingTry[] = [];
  // By the limits of what was done, so that a late timer of this process costs no attempt.
  let spentMs = 0;
  for (;;) {
    const waitMs = WEBHOOK_TEST.totalMs - WEBHOOK_TEST.timeoutMs - spentMs;
    if (waitMs < 0) return tries;
    const beforeMs = elapsedMs();
    try {
      await destinations.take(destination, project, waitMs);
    } catch (error) {
      if (tries.length === 0) throw error;
      return tries;
    }
    const afterMs = elapsedMs();
    const outcome = await sender
      .send(outgoingRequest, WEBHOOK_TEST.timeoutMs)
      .finally(() => destinations.give(destination));
    if (outcome === null) return null;
    tries.push({ afterMs, outcome });
    if (outcome.accepted || tries.length === WEBHOOK_TEST.attempts) return tries;
    spentMs += afterMs - beforeMs + Math.min(outcome.durationMs, WEBHOOK_TEST.timeoutMs) + PAUSE_MS;
    await sleep(PAUSE_MS);
  }
}
