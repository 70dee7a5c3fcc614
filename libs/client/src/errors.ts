/** The errors that a call can throw. `instanceof` recognizes those of every copy of the package, see brand.ts. */
import { brand } from './brand.ts';
import type { ErrorCode, TestClock } from './generated/types.ts';

/** An API error. Branch on `code`, which is stable. The message is for people and can change. */
export class CarecoverError extends Error {
  static {
    brand(CarecoverError, 'CarecoverError');
  }

  constructor(
    /** The HTTP status of the response. */
    readonly status: number,
    readonly code: ErrorCode,
    message: string,
    /** The URL of the explanation of the code. */
    readonly docs: string,
    /** The ID of the request in Carecover's logs; null if the response has none. Include it in support requests. */
    readonly requestId: string | null,
    /** The value of the response's `Retry-After` header in seconds; null if there is none. */
    readonly retryAfterSeconds: number | null,
  ) {
    super(message);
    this.name = 'CarecoverError';
  }

  /** Returns the fields of the error, with the message, which `JSON.stringify` leaves out of other errors. */
  toJSON(): object {
    const { name, message, status, code, docs, requestId, retryAfterSeconds } = this;
    return { name, message, status, code, docs, requestId, retryAfterSeconds };
  }
}

/**
 * Thrown if the client received no valid response: the connection failed, the call timed out, or the response did not come from
 * Carecover. The outcome is unknown. Repeat a write under the same idempotency key, so that it takes effect at most once.
 */
export class CarecoverConnectionError extends Error {
  static {
    brand(CarecoverConnectionError, 'CarecoverConnectionError');
  }

  override readonly name = 'CarecoverConnectionError';
}

/** Thrown if the advance of a test clock failed. The message has the instant at which the clock stands, and the reason. The next advance continues. */
export class CarecoverAdvanceError extends Error {
  static {
    brand(CarecoverAdvanceError, 'CarecoverAdvanceError');
  }

  override readonly name = 'CarecoverAdvanceError';

  constructor(
    /** The clock: it stands at `now`, the last completed instant; the reason is in `failure`. */
    readonly clock: TestClock,
  ) {
    super(`the advance ended at ${clock.now}: ${clock.failure}`);
  }
}

/**
 * Returns whether `error` is an API error with one of the codes, and narrows its type.
 *
 * @example if (hasCode(error, 'slot_unavailable')) chooseAnotherTime();
 */
export function hasCode<C extends ErrorCode>(
  error: unknown,
  ...codes: C[]
): error is CarecoverError & { code: C } {
  return error instanceof CarecoverError && (codes as ErrorCode[]).includes(error.code);
}
