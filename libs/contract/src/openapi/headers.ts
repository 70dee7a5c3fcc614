// The response headers, and which responses have them.
import type { Operation } from '../operations';
import { storesKey } from '../operations/definition';
import type { JsonObject } from './components';

/** Every documented response header. */
export const responseHeaders: Record<string, JsonObject> = {
  'X-Request-Id': {
    description:
      "Identifies the request in the service's logs: the UUID that the request sent, or else a new one.",
    required: true,
    schema: { type: 'string', format: 'uuid' },
  },
  'X-RateLimit-Limit': {
    description: 'The maximum number of requests of the project per minute.',
    schema: { type: 'integer', minimum: 0 },
  },
  'X-RateLimit-Remaining': {
    description: 'The number of remaining requests in the current minute.',
    schema: { type: 'integer', minimum: 0 },
  },
  'X-RateLimit-Reset': {
    description: 'When the minute ends, as a Unix timestamp in seconds.',
    schema: { type: 'integer', format: 'int64', minimum: 0 },
  },
  'Retry-After': {
    description: 'The number of seconds to wait before a retry.',
    required: true,
    schema: { type: 'integer', minimum: 0 },
  },
  'WWW-Authenticate': {
    description:
      'Scheme Bearer, the realm, and `invalid_request` (no key) or `invalid_token` (key rejected).',
    required: true,
    schema: { type: 'string' },
  },
  'Idempotent-Replayed': {
    description:
      'Present if this is the stored response to an earlier request under the same Idempotency-Key.',
    schema: { type: 'string', const: 'true' },
  },
  Allow: {
    description: 'The methods that the path supports.',
    required: true,
    schema: { type: 'string' },
  },
};

const rateLimitHeaders = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];

/** The names of the headers that only error responses with one status have, by that status. */
const headersOfStatus: Readonly<Record<number, readonly string[]>> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

function referTo(names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Returns the headers of an error response. Every error response except 401 has the rate limit's headers. */
export function errorHeaders(status: number): JsonObject {
  const limits = status === 401 ? [] : rateLimitHeaders;
  return referTo(['X-Request-Id', ...limits, ...(headersOfStatus[status] ?? [])]);
}

/** Returns the headers of an operation's successful response. */
export function successHeaders(operation: Operation): JsonObject {
  const replayed = storesKey(operation) ? ['Idempotent-Replayed'] : [];
  return referTo(['X-Request-Id', ...rateLimitHeaders, ...replayed]);
}
