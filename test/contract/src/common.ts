/** Outcomes that every operation has in common, provoked alike for all: credentials, limits, wrong methods, bad bodies. */
import { type Operation, prefixes } from '@carecover/contract';
import type { Attempt } from './provocations/provocation';

/** How a request departs from what a valid client with the main key would send. */
export interface Departure {
  readonly credential?: 'none' | 'unknown' | 'no scope' | 'exhausted';
  readonly plainHttp?: true;
  readonly method?: string;
  readonly contentType?: string;
  readonly rawBody?: string;
}

/** An identifier of the right form that no resource has. */
const UNKNOWN_IDS: Record<string, string> = {
  practitioner_id: `${prefixes.practitioner}unknown`,
  booking_id: `${prefixes.booking}unknown`,
  session_id: `${prefixes.session}unknown`,
  coverage_id: `${prefixes.coverage}unknown`,
  eligibility_check_id: `${prefixes.eligibilityCheck}unknown`,
  preauthorization_id: `${prefixes.preauthorization}unknown`,
  claim_id: `${prefixes.claim}unknown`,
  remittance_id: `${prefixes.remittance}unknown`,
  settlement_id: `${prefixes.settlement}unknown`,
  consent_id: `${prefixes.consent}unknown`,
  webhook_endpoint_id: `${prefixes.webhookEndpoint}unknown`,
  event_id: `${prefixes.event}unknown`,
};

/** A well-formed request about resources that do not exist, with the example of the body's schema. */
export function formOnly({ path, body }: Operation): Attempt {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const params = Object.fromEntries(names.map((name) => [name, UNKNOWN_IDS[name] ?? '']));
  return { params, ...(body === undefined ? {} : { body: exampleOf(body) }) };
}

function exampleOf(schema: object): unknown {
  if ('examples' in schema && Array.isArray(schema.examples)) return schema.examples[0];
  if ('oneOf' in schema && Array.isArray(schema.oneOf)) return exampleOf(schema.oneOf[0]);
  throw new Error('a body schema without an example');
}

/** The departures by which an outcome that all operations have is provoked; undefined where it is an operation's own. */
export function departureFor(operation: Operation, outcome: string): Departure | undefined {
  switch (outcome) {
    case 'api_key_missing':
      return { credential: 'none' };
    case 'api_key_invalid':
      return { credential: 'unknown' };
    case 'permission_denied':
      return { credential: 'no scope' };
    case 'rate_limited':
      return { credential: 'exhausted' };
    case 'https_required':
      return { plainHttp: true };
    case 'method_not_allowed':
      return { method: 'PUT' };
    case 'unsupported_media_type':
      return { contentType: 'text/plain', rawBody: '{}' };
    case 'payload_too_large':
      return { rawBody: ' '.repeat(operation.bodyLimitBytes + 1) };
    default:
      return undefined;
  }
}

/** A request that fails validation, for operations that name none of their own. */
export function malformed(operation: Operation): Attempt {
  const form = formOnly(operation);
  const { idempotencyKey, body, path } = operation;
  if (body !== undefined) return { ...form, body: { ...(form.body as object), unexpected: true } };
  const [name] = Object.keys(form.params ?? {});
  if (name !== undefined) return { ...form, params: { ...form.params, [name]: 'not an identifier' } };
  if (idempotencyKey === 'none') return { ...form, query: { limit: '0' } };
  throw new Error(`nothing to get wrong in ${path}`);
}
