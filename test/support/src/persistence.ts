/** What a caller does while parts of the service are away: the same request under the same key, until it is answered. */
import { setTimeout as sleep } from 'node:timers/promises';
import { CarecoverConnectionError, hasCode } from '@carecover/client';

/** Each try is one request, so that a test sees every interruption. */
export const ONE_TRY = { maxRetries: 0 };

/** True where an answer says, or its absence means, that the caller should come back. */
export function isInterruption(error: unknown): boolean {
  return error instanceof CarecoverConnectionError || hasCode(error, 'service_unavailable');
}

/**
 * Repeats `call` under one idempotency key, a new one unless given, until it is answered.
 * @throws a rejection; Error after `patienceMs`
 */
export async function untilAnswered<T>(
  call: (options: { idempotencyKey: string; maxRetries: number }) => Promise<T>,
  { patienceMs = 120_000, idempotencyKey = crypto.randomUUID() as string } = {},
): Promise<T> {
  const options = { idempotencyKey, ...ONE_TRY };
  const deadline = Date.now() + patienceMs;
  for (;;) {
    try {
      return await call(options);
    } catch (error) {
      if (!isInterruption(error)) throw error;
      if (Date.now() > deadline) throw new Error('never answered', { cause: error });
      await sleep(100 + 100 * Math.random());
    }
  }
}

/** Runs `work` for each item, at most `width` at once. */
export async function eachOf<T, R>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = new Array(items.length);
  let next = 0;
  const lanes = Array.from({ length: Math.min(width, items.length) }, async () => {
    for (let index = next++; index < items.length; index = next++) {
      results[index] = await work(items[index] as T);
    }
  });
  await Promise.all(lanes);
  return results;
}
