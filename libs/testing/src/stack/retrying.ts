/** Retries requests while services or servers are unavailable, as a correct client does. */
import { setTimeout as sleep } from 'node:timers/promises';
import { CarecoverConnectionError, CarecoverError, hasCode } from '@carecover/client';

/**
 * Options with which the client library sends exactly one request per call, so that a test sees every connection error and every response
 * 503.
 */
export const WITHOUT_RETRIES = { maxRetries: 0 };

/** Returns whether the error means that the client should retry: there was no response, or the response was service_unavailable. */
export function isInterruption(error: unknown): boolean {
  return error instanceof CarecoverConnectionError || hasCode(error, 'service_unavailable');
}

/**
 * Repeats `call` with one idempotency key until it succeeds or is rejected.
 *
 * @param options `patienceMs`: for how long to retry, in milliseconds; `idempotencyKey`: the key, by default a new one
 * @throws the API error with which the call is rejected; Error if it has not succeeded after `patienceMs`
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
      if (Date.now() > deadline) {
        const request = error instanceof CarecoverError ? `, last request ${error.requestId}` : '';
        const text = `no response within ${patienceMs} ms to the write with key ${idempotencyKey}${request}`;
        throw new Error(text, { cause: error });
      }
      await sleep(100 + 100 * Math.random());
    }
  }
}

/** Calls `work` for each item, with at most `width` concurrent calls, and returns the results in the order of the items. */
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
