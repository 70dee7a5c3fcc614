/** The test event: sent while its caller waits, so with few, short tries. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Environment, TEST_EVENT_TYPE, WEBHOOK_TEST } from '@carecover/contract';
import { eventPayload } from '@carecover/platform';
import type { Outcome, Sender, Shipment } from './sender';

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
 * Tries until the receiver accepts, three times at most and within ten seconds; gives every try. Null where the sender was
 * closed meanwhile: then nothing is known of the last one.
 */
export async function tryPing(sender: Sender, shipment: Shipment): Promise<PingTry[] | null> {
  const startedMs = performance.now();
  const elapsedMs = () => Math.round(performance.now() - startedMs);
  const tries: PingTry[] = [];
  for (;;) {
    const afterMs = elapsedMs();
    const timeoutMs = Math.min(WEBHOOK_TEST.timeoutMs, WEBHOOK_TEST.totalMs - afterMs);
    if (timeoutMs <= 0) return tries;
    const outcome = await sender.send(shipment, timeoutMs);
    if (outcome === null) return null;
    tries.push({ afterMs, outcome });
    if (outcome.accepted || tries.length === WEBHOOK_TEST.tries) return tries;
    await sleep(PAUSE_MS);
  }
}
