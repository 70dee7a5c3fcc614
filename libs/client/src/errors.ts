/** What a call can throw: an answer that says no, or no answer at all. */
import type { ErrorCode } from './generated/types.ts';

/** An error answer of the service. Branch on `code`; it is stable, the message is for people. */
export class CarecoverError extends Error {
  constructor(
    /** The HTTP status of the answer. */
    readonly status: number,
    readonly code: ErrorCode,
    message: string,
    /** Where the code is explained. */
    readonly docs: string,
    /** Name it when asking for help. */
    readonly requestId: string | null,
    /** How long the service asks to wait, in seconds, where it does. */
    readonly retryAfterSeconds: number | null,
  ) {
    super(message);
    this.name = 'CarecoverError';
  }
}

/**
 * No usable answer came: the network failed, the time ran out, or what came was not the service's. The outcome is unknown;
 * a write repeated with the same idempotency key has its effect at most once.
 */
export class CarecoverConnectionError extends Error {
  override readonly name = 'CarecoverConnectionError';
}

/** True where `error` is an error answer with one of these codes; narrows its type. */
export function hasCode<C extends ErrorCode>(
  error: unknown,
  ...codes: C[]
): error is CarecoverError & { code: C } {
  return error instanceof CarecoverError && (codes as ErrorCode[]).includes(error.code);
}
