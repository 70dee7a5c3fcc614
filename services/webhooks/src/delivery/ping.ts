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
 * closed meanwhile: then nothing is known of the last one. Each try takes a slot of the destination, and waits for it in the
 * project's line.
 *
 * @throws ApiError service_unavailable where no slot became free for the first try
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
  for (;;) {
    const leftMs = WEBHOOK_TEST.totalMs - elapsedMs();
    if (leftMs <= 0) return tries;
    try {
      await destinations.take(destination, project, leftMs);
    } catch (error) {
      if (tries.length === 0) throw error;
      return tries;
    }
    const afterMs = elapsedMs();
    const timeoutMs = Math.max(1, Math.min(WEBHOOK_TEST.timeoutMs, WEBHOOK_TEST.totalMs - afterMs));
    const outcome = await sender
      .send(outgoingRequest, timeoutMs)
      .finally(() => destinations.give(destination));
    if (outcome === null) return null;
    tries.push({ afterMs, outcome });
    if (outcome.accepted || tries.length === WEBHOOK_TEST.tries) return tries;
    await sleep(PAUSE_MS);
  }
}
