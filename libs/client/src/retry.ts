/**
 * When a call is made again, and after how long: 429 and 5xx answers and lost connections, a bounded number of times. A call
 * that may have had an effect, and would have another, is made again only where it certainly had none.
 */

const FIRST_DELAY_MS = 250;
const MAX_DELAY_MS = 8_000;
/** A service that asks for more patience than this is taken at its word: the caller is told at once. */
const LONGEST_RETRY_AFTER_SECONDS = 120;
const TOO_MANY_REQUESTS = 429;

/**
 * Whether there may be another try.
 *
 * @param status of the answer; null where none came
 * @param repeatable whether a second effect is impossible: a read, or a write under an idempotency key
 */
export function isRetryable(status: number | null, repeatable: boolean): boolean {
  if (status === TOO_MANY_REQUESTS) return true;
  return repeatable && (status === null || status >= 500);
}

/**
 * How many seconds an answer asks to wait, whoever between client and service sent it; null where it does not say, or not
 * understandably. A date is counted from the answer's own, since the clock here may be wrong.
 */
export function retryAfterSeconds(headers: Headers): number | null {
  const asked = headers.get('retry-after') ?? '';
  if (/^\d+$/.test(asked)) return Number(asked);
  const until = asked.endsWith(' GMT') ? Date.parse(asked) : Number.NaN;
  if (Number.isNaN(until)) return null;
  const sent = Date.parse(headers.get('date') ?? '');
  return Math.max(0, Math.ceil((until - (Number.isNaN(sent) ? Date.now() : sent)) / 1_000));
}

/**
 * Milliseconds to wait before the next try: exponential backoff with jitter, or, where that is longer, what the service asked for
 * and up to a tenth more; null where it asked for so long that waiting is the caller's decision.
 *
 * @param attempt from 0: how many tries came before the one that failed
 * @param askedSeconds as {@link retryAfterSeconds} tells
 * @param random a number from 0 to 1
 */
export function retryDelayMs(attempt: number, askedSeconds: number | null, random: number): number | null {
  const backoffMs = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** attempt) * (0.5 + random / 2);
  if (askedSeconds !== null && askedSeconds > LONGEST_RETRY_AFTER_SECONDS) return null;
  return Math.max(backoffMs, (askedSeconds ?? 0) * 1000 * (1 + random / 10));
}

/** Waits, or rejects with the signal's reason as soon as that aborts. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
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
