/** Creates requests that cause the outcomes which all operations have: wrong credentials, exceeded limits, wrong methods, invalid bodies. */
import { identifierPrefixes, type Operation, pathParameterNames } from '@carecover/contract';
import type { Attempt } from './provocations/provocation';

/** How a request differs from a valid request that is sent with the test's main key, which has every scope. */
export interface Deviation {
  readonly credential?: 'none' | 'unknown' | 'no scope' | 'exhausted';
  readonly plainHttp?: true;
  readonly method?: string;
  readonly contentType?: string;
  readonly rawBody?: string;
}

/** Well-formed identifiers of resources that don't exist. */
const UNKNOWN_IDS: Record<string, string> = {
  practitioner_id: `${identifierPrefixes.practitioner}unknown`,
  booking_id: `${identifierPrefixes.booking}unknown`,
  session_id: `${identifierPrefixes.session}unknown`,
  coverage_id: `${identifierPrefixes.coverage}unknown`,
  eligibility_check_id: `${identifierPrefixes.eligibilityCheck}unknown`,
  preauthorization_id: `${identifierPrefixes.preauthorization}unknown`,
  claim_id: `${identifierPrefixes.claim}unknown`,
  payment_advice_id: `${identifierPrefixes.paymentAdvice}unknown`,
  remittance_id: `${identifierPrefixes.remittance}unknown`,
  settlement_id: `${identifierPrefixes.settlement}unknown`,
  valuation_run_id: `${identifierPrefixes.valuationRun}unknown`,
  bulk_job_id: `${identifierPrefixes.bulkJob}unknown`,
  consent_id: `${identifierPrefixes.consent}unknown`,
  webhook_endpoint_id: `${identifierPrefixes.webhookEndpoint}unknown`,
  event_id: `${identifierPrefixes.event}unknown`,
};

/** Creates a valid request for resources that don't exist. Its body is the example in the operation's schema. */
export function requestUnknownResource({ path, body, upload }: Operation): Attempt {
  const names = pathParameterNames(path);
  const params = Object.fromEntries(names.map((name) => [name, UNKNOWN_IDS[name] ?? '']));
  if (upload !== undefined)
    return {
      params,
      query: { kind: 'claims' },
      file: { mediaType: upload.formats[0].mediaType, text: '{}\n' },
    };
  return { params, ...(body === undefined ? {} : { body: exampleOf(body) }) };
}

function exampleOf(schema: object): unknown {
  if ('examples' in schema && Array.isArray(schema.examples)) return schema.examples[0];
  if ('oneOf' in schema && Array.isArray(schema.oneOf)) return exampleOf(schema.oneOf[0]);
  throw new Error('every body schema needs an example');
}

/** Returns the differences from a valid request that cause an outcome which all operations have; undefined for other outcomes. */
export function deviationFor(operation: Operation, outcome: string): Deviation | undefined {
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

/** Creates an invalid request for an operation that has no provocation of validation_failed. */
export function createInvalidRequest(operation: Operation): Attempt {
  const request = requestUnknownResource(operation);
  const { idempotencyKey, body, path } = operation;
  if (body !== undefined) return { ...request, body: { ...(request.body as object), unexpected: true } };
  const [name] = Object.keys(request.params ?? {});
  if (name !== undefined) return { ...request, params: { ...request.params, [name]: 'not an identifier' } };
  if (idempotencyKey === 'none') return { ...request, query: { limit: '0' } };
  throw new Error(`no part of a request to ${path} can be invalid`);
}
