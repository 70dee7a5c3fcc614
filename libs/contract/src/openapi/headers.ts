// Headers of answers, and which answers carry which.
import type { Operation } from '../operations';
import type { JsonObject } from './components';

/** Every header that an answer may carry. */
export const responseHeaders: Record<string, JsonObject> = {
  'X-Request-Id': {
    description: "Names the request in the service's logs. A well-formed one that was sent is kept.",
    required: true,
    schema: { type: 'string', format: 'uuid' },
  },
  'X-RateLimit-Limit': {
    description: 'Most requests of the project in the current minute.',
    schema: { type: 'integer', minimum: 0 },
  },
  'X-RateLimit-Remaining': {
    description: 'Requests left in the current minute.',
    schema: { type: 'integer', minimum: 0 },
  },
  'X-RateLimit-Reset': {
    description: 'When the minute ends, as a Unix timestamp in seconds.',
    schema: { type: 'integer', minimum: 0 },
  },
  'Retry-After': {
    description: 'After how many seconds to try again.',
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
    description: 'Present when this is the answer to an earlier request under the same Idempotency-Key.',
    schema: { type: 'string', const: 'true' },
  },
  Allow: {
    description: 'The methods that the path has.',
    required: true,
    schema: { type: 'string' },
  },
};

const rateLimitHeaders = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];

/** Headers that come with a status alone. */
const headersOfStatus: Readonly<Record<number, readonly string[]>> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

function referTo(names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** The headers of an error answer. All but the unauthenticated have the rate limit's. */
export function errorHeaders(status: number): JsonObject {
  const limits = status === 401 ? [] : rateLimitHeaders;
  return referTo(['X-Request-Id', ...limits, ...(headersOfStatus[status] ?? [])]);
}

/** The headers of an operation's successful answer. */
export function successHeaders(operation: Operation): JsonObject {
  const remembered = operation.idempotencyKey === 'required' || operation.idempotencyKey === 'optional';
  return referTo(['X-Request-Id', ...rateLimitHeaders, ...(remembered ? ['Idempotent-Replayed'] : [])]);
}
