/** Retries requests while parts of the service are unavailable, as a correct client does. */
import { setTimeout as sleep } from 'node:timers/promises';
import { CarecoverConnectionError, hasCode } from '@carecover/client';

/** Options that make a call send exactly one request, so that the test receives every interruption. */
export const WITHOUT_RETRIES = { maxRetries: 0 };

/** Returns whether a client should retry after the error: no response, or service_unavailable. */
export function isInterruption(error: unknown): boolean {
  return error instanceof CarecoverConnectionError || hasCode(error, 'service_unavailable');
}

/**
 * Repeats `call` under one idempotency key until it returns or is rejected.
 *
 * @param options patienceMs: how long to retry; idempotencyKey: default a new one
 * @throws the API error of a rejection; Error after `patienceMs`
 */
export async function retryUntilResponse<T>(
  call: (options: { idempotencyKey: string; maxRetries: number }) => Promise<T>,
  { patienceMs = 120_000, idempotencyKey = crypto.randomUUID() as string } = {},
): Promise<T> {
  const options = { idempotencyKey, ...WITHOUT_RETRIES };
  const deadline = Date.now() + patienceMs;
  for (;;) {
    try {
      return await call(options);
    } catch (error) {
      if (!isInterruption(error)) throw error;
      if (Date.now() > deadline) throw new Error(`no response within ${patienceMs} ms`, { cause: error });
      await sleep(100 + 100 * Math.random());
    }
  }
}

/** Calls `work` for each item, at most `width` concurrently, and returns the results in the order of the items. */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = new Array(items.length);
  let next = 0;
  const workers = Array.from({ length: Math.min(width, items.length) }, async () => {
    for (let index = next++; index < items.length; index = next++) {
      results[index] = await work(items[index] as T);
    }
  });
  await Promise.all(workers);
  return results;
}
