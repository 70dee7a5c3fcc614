Object.defineProperty(exports, '__esModule', { value: true });
exports.formOnly = formOnly;
exports.departureFor = departureFor;
exports.malformed = malformed;
/** Outcomes that every operation has in common, provoked alike for all: credentials, limits, wrong methods, bad bodies. */
const contract_1 = require('@carecover/contract');
/** An identifier of the right form that no resource has. */
const UNKNOWN_IDS = {
  practitioner_id: `${contract_1.prefixes.practitioner}unknown`,
  booking_id: `${contract_1.prefixes.booking}unknown`,
  session_id: `${contract_1.prefixes.session}unknown`,
  coverage_id: `${contract_1.prefixes.coverage}unknown`,
  eligibility_check_id: `${contract_1.prefixes.eligibilityCheck}unknown`,
  preauthorization_id: `${contract_1.prefixes.preauthorization}unknown`,
  claim_id: `${contract_1.prefixes.claim}unknown`,
  remittance_id: `${contract_1.prefixes.remittance}unknown`,
  settlement_id: `${contract_1.prefixes.settlement}unknown`,
  consent_id: `${contract_1.prefixes.consent}unknown`,
  webhook_endpoint_id: `${contract_1.prefixes.webhookEndpoint}unknown`,
  event_id: `${contract_1.prefixes.event}unknown`,
};
/** A well-formed request about resources that do not exist, with the example of the body's schema. */
function formOnly({ path, body }) {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const params = Object.fromEntries(names.map((name) => [name, UNKNOWN_IDS[name] ?? '']));
  return { params, ...(body === undefined ? {} : { body: exampleOf(body) }) };
}
function exampleOf(schema) {
  if ('examples' in schema && Array.isArray(schema.examples)) return schema.examples[0];
  throw new Error('a body schema without an example');
}
/** The departures by which an outcome that all operations have is provoked; undefined where it is an operation's own. */
function departureFor(operation, outcome) {
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
      return { contentType: 'text/plain' };
    case 'payload_too_large':
      return { rawBody: ' '.repeat(operation.bodyLimitBytes + 1) };
    default:
      return undefined;
  }
}
/** A request that fails validation, for operations that name none of their own. */
function malformed(operation) {
  const form = formOnly(operation);
  const { idempotencyKey, body, path } = operation;
  if (body !== undefined) return { ...form, body: { ...form.body, unexpected: true } };
  const [name] = Object.keys(form.params ?? {});
  if (name !== undefined) return { ...form, params: { ...form.params, [name]: 'not an identifier' } };
  if (idempotencyKey === 'none') return { ...form, query: { limit: '0' } };
  throw new Error(`nothing to get wrong in ${path}`);
}
