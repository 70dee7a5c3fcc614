/**
 * The retry policy: which calls are retried and after which delay. A 429 is always retried. After a 5xx response or a lost
 * connection the outcome is unknown, so a call is retried only if it can't have a second effect.
 */

const FIRST_DELAY_MS = 250;
const MAX_DELAY_MS = 8_000;
/** The longest Retry-After in seconds for which the client waits. For a longer one, the call throws at once. */
const MAX_RETRY_AFTER_SECONDS = 120;
const TOO_MANY_REQUESTS = 429;

/**
 * Returns whether a failed call can be retried.
 *
 * @param status HTTP status of the response; null if there was no response
 * @param isRepeatable whether a repetition has no second effect: a read, or a write under an idempotency key
 */
export function isRetryable(status: number | null, isRepeatable: boolean): boolean {
  if (status === TOO_MANY_REQUESTS) return true;
  return isRepeatable && (status === null || status >= 500);
}

/**
 * Returns the Retry-After of a response, of Carecover or of a proxy, in seconds; null if it is missing or invalid (RFC 9110, section
 * 10.2.3). If the Retry-After is a date, the seconds are counted from the response's Date header, because the local clock can be wrong.
 */
export function retryAfterSeconds(headers: Headers): number | null {
  const value = headers.get('retry-after') ?? '';
  if (/^\d+$/.test(value)) return Number(value);
  const until = value.endsWith(' GMT') ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(until)) return null;
  const sent = Date.parse(headers.get('date') ?? '');
  return Math.max(0, Math.ceil((until - (Number.isNaN(sent) ? Date.now() : sent)) / 1_000));
}

/**
 * Returns the delay in milliseconds before the next attempt. It is the longer of two times: an exponential backoff with jitter, and the
 * Retry-After plus up to 10 %. Returns null if the Retry-After is longer than two minutes.
 *
 * @param attempt the number of attempts before the failed one, from 0
 * @param requestedSeconds the result of {@link retryAfterSeconds}
 * @param random a number from 0 to 1
 * @example retryDelayMs(0, 2, 0) // 2000
 */
export function retryDelayMs(
  attempt: number,
  requestedSeconds: number | null,
  random: number,
): number | null {
  const backoffMs = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** attempt) * (0.5 + random / 2);
  if (requestedSeconds !== null && requestedSeconds > MAX_RETRY_AFTER_SECONDS) return null;
  return Math.max(backoffMs, (requestedSeconds ?? 0) * 1000 * (1 + random / 10));
}

/** Waits for a time in milliseconds. Rejects with the AbortSignal's reason when it is aborted. */
export function waitMs(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}
