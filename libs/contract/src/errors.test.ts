// Tests that the API's error codes and their HTTP statuses are stable: codes can be added to the list below, but never changed or
// removed.
import { type ErrorCode, errorCodes, errorDocs, errorStatus, isErrorCode } from './errors';

const stableCodes: Record<number, string> = {
  400: 'validation_failed',
  401: 'api_key_missing api_key_invalid',
  403: 'permission_denied consent_required https_required',
  404: 'resource_not_found',
  405: 'method_not_allowed',
  406: 'not_acceptable',
  409: 'idempotency_conflict invalid_state slot_unavailable preauthorization_exists benefit_exhausted source_version_conflict duplicate_claim_reference session_already_claimed duplicate_session_reference duplicate_remittance_reference advice_settled duplicate_settlement_reference endpoint_disabled endpoint_limit_reached valuation_not_ready',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  422: 'session_in_past session_too_old outside_availability not_eligible booking_not_covered service_mismatch amount_exceeds_request valid_until_in_past authorization_required session_not_delivered currency_mismatch adjudication_lines_mismatch adjudication_unbalanced claim_not_adjudicated allocation_duplicate over_allocation over_recovery advice_unbalanced future_timestamp webhook_url_not_allowed',
  429: 'rate_limited',
  500: 'internal_error',
  503: 'service_unavailable',
};

test('every stable code has its status, and there are no other codes', () => {
  const expected = Object.entries(stableCodes).flatMap(([status, codes]) =>
    codes.split(' ').map((code) => [code, Number(status)]),
  );
  const actual = Object.entries(errorCodes).map(([code, { status }]) => [code, status]);
  expect(actual.sort()).toEqual(expected.sort());
});

test('every code has an explanation and an action, and only 429 and 5xx can be retried', () => {
  for (const [code, { status, explanation, action, retry }] of Object.entries(errorCodes)) {
    expect(explanation.length).toBeGreaterThan(20);
    expect(action.length).toBeGreaterThan(10);
    expect([code, retry]).toEqual([code, status === 429 || status >= 500]);
  }
});

test('the docs link has one anchor per code', () => {
  expect(errorDocs('https://api.example.com', 'rate_limited')).toBe(
    'https://api.example.com/docs/errors#rate_limited',
  );
  const code: ErrorCode = 'slot_unavailable';
  expect(errorStatus(code)).toBe(409);
  expect(isErrorCode('toString')).toBe(false);
});
