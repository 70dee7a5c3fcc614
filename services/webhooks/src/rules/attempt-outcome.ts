/** The outcome of an attempt, with an error message for the project. Messages contain nothing about Carecover's internal network. */

export interface Outcome {
  /** Whether the receiver responded with 2xx. */
  readonly accepted: boolean;
  /** The HTTP status of the response, from 100 to 599; null if there was no response. */
  readonly responseStatus: number | null;
  readonly durationMs: number;
  /** The reason why the attempt failed, in one sentence; null if it succeeded. */
  readonly error: string | null;
  /** The start of the response body; null if it is empty. */
  readonly excerpt: string | null;
  /** The delay before the next attempt that the response requests, in milliseconds, without a limit; null if it requests none. */
  readonly requestedDelayMs: number | null;
}

/** One attempt of a test event. */
export interface TestAttempt {
  /** When the attempt started, in milliseconds since the start of the test. */
  readonly afterMs: number;
  readonly outcome: Outcome;
}

/** Returns the error message of an attempt with this response status; null for 2xx. */
export function describeStatus(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400
    ? `The receiver responded with ${status}; redirects are not followed.`
    : `The receiver responded with ${status}.`;
}

const NO_ADDRESS = 'The host name has no public address.';

const MESSAGES: Readonly<Record<string, string>> = {
  // The message is the same whether the name exists or not: another one would tell which names exist in Carecover's network.
  ADDRESS_NOT_ALLOWED: NO_ADDRESS,
  ENOTFOUND: NO_ADDRESS,
  ENODATA: NO_ADDRESS,
  ESERVFAIL: 'The host name could not be resolved.',
  ETIMEOUT: 'The host name could not be resolved in time.',
  ECONNREFUSED: 'The connection was refused.',
  EHOSTUNREACH: 'The receiver is not reachable.',
  ENETUNREACH: 'The receiver is not reachable.',
  ETIMEDOUT: 'The connection could not be opened in time.',
  UND_ERR_CONNECT_TIMEOUT: 'The connection could not be opened in time.',
  ECONNRESET: 'The connection was closed before a response.',
  EPIPE: 'The connection was closed before a response.',
  UND_ERR_SOCKET: 'The connection was closed before a response.',
  UND_ERR_HEADERS_OVERFLOW: 'The headers of the response are too large.',
  RESPONSE_TOO_LARGE: 'The response is too large.',
  TOO_MANY_INFORMATIONAL_RESPONSES: 'The receiver sent too many informational responses (1xx).',
};

const CERTIFICATE = /CERT|SIGNATURE|SELF_SIGNED|ISSUER|ALTNAME/;
const TLS = /^(ERR_SSL|ERR_TLS|EPROTO)/;

/** Returns the code of an error or of its cause; if neither has one, the error's name. */
function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'unknown';
  if ('code' in error && typeof error.code === 'string') return error.code;
  if ('cause' in error && error.cause !== undefined) return codeOf(error.cause);
  return 'name' in error ? String(error.name) : 'unknown';
}

/**
 * Returns the error message of an attempt without a response.
 *
 * @param timedOut whether the attempt's timeout ended it
 */
export function describeFailure(error: unknown, timedOut: boolean): string {
  if (timedOut) return 'There was no response in time.';
  const code = codeOf(error);
  const known = MESSAGES[code];
  if (known !== undefined) return known;
  if (CERTIFICATE.test(code)) return `The certificate of the receiver is not valid (${code}).`;
  if (TLS.test(code)) return `A TLS connection could not be opened (${code}).`;
  if (code.startsWith('HPE_') || code === 'HTTPParserError') return 'The response is not HTTP.';
  return `The attempt failed (${code}).`;
}
