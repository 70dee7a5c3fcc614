/** When a call is made again, and after how long: 429 and 5xx answers and lost connections, a bounded number of times. */

const FIRST_DELAY_MS = 250;
const MAX_DELAY_MS = 8_000;

/** Whether an answer of this status may be followed by another try. */
export function isRetryable(status: number): boolean {
  return status === 429 || status >= 500;
}

/**
 * Milliseconds to wait before try number `attempt` + 1: what the service asked for, else exponential backoff with full jitter.
 *
 * @param random a number from 0 to 1
 */
export function retryDelayMs(attempt: number, retryAfterSeconds: number | null, random: number): number {
  if (retryAfterSeconds !== null) return retryAfterSeconds * 1000;
  return Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** attempt) * (0.5 + random / 2);
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
