// Tests that the table of operations is complete and consistent.
import { identifierPrefixes } from '../identifiers';
import { grants } from '../scopes';
import { type Operation, operationErrors, operationList, operations } from '.';

const stableOperations = `
GET / any key 200
GET /practitioners practitioners:read 200 400
GET /practitioners/{practitioner_id} practitioners:read 200 400 404
GET /practitioners/{practitioner_id}/availability availability:read 200 400 404
GET /practitioners/{practitioner_id}/slots availability:read 200 400 404
GET /bookings bookings:read 200 400
POST /bookings bookings:write 201 200 400 404 409 422
GET /bookings/{booking_id} bookings:read 200 400 404
GET /sessions sessions:read 200 400
POST /sessions sessions:write 201 200 400 404 409 422
GET /sessions/{session_id} sessions:read 200 400 404
POST /coverages coverages:write 201 200 400 409
POST /coverage_batches coverages:write 201 200 400 409 413
POST /eligibility_checks benefits:write 201 200 400 409 422
GET /eligibility_checks/{eligibility_check_id} benefits:read 200 400 404
POST /preauthorizations benefits:write 201 200 400 404 409 422
GET /preauthorizations/{preauthorization_id} benefits:read 200 400 404
POST /preauthorizations/{preauthorization_id}/decisions benefits:decide 200 400 404 409 422
GET /claims claims:read 200 400
POST /claims claims:write 201 400 404 409 422
GET /claims/{claim_id} claims:read 200 400 404
GET /claims/{claim_id}/valuation claims:read 200 400 404
POST /claims/{claim_id}/information_requests claims:adjudicate 201 400 404 409
POST /claims/{claim_id}/evidence claims:write 200 400 404 409
POST /claims/{claim_id}/adjudications claims:adjudicate 200 400 404 409 422
GET /remittances remittances:read 200 400
POST /remittances remittances:write 201 400 404 409 422
GET /remittances/{remittance_id} remittances:read 200 400 404
GET /payer_balances remittances:read 200 400
GET /payment_advices remittances:read 200 400
POST /payment_advices remittances:write 201 400 404 409 422
GET /payment_advices/{payment_advice_id} remittances:read 200 400 404
POST /payment_advices/{payment_advice_id}/replacements remittances:write 201 400 404 409 422
POST /payment_advices/{payment_advice_id}/withdrawals remittances:write 200 400 404 409
GET /webhook_endpoints webhooks:read 200 400
POST /webhook_endpoints webhooks:write 201 400 409 422
GET /webhook_endpoints/{webhook_endpoint_id} webhooks:read 200 400 404
DELETE /webhook_endpoints/{webhook_endpoint_id} webhooks:write 200 400 404
POST /webhook_endpoints/{webhook_endpoint_id}/test webhooks:write 200 400 404
GET /remittances/{remittance_id}/reconciliation remittances:read 200 400 404
GET /claims/{claim_id}/links claims:read 200 400 404
GET /receivables claims:read 200 400
GET /valuation_runs claims:read 200 400
POST /valuation_runs claims:read 201 200 400 409
GET /valuation_runs/{valuation_run_id} claims:read 200 400 404
GET /valuation_runs/{valuation_run_id}/claims claims:read 200 400 404 406 409
GET /bulk_jobs scope of the kind 200 400
POST /bulk_jobs scope of the kind 202 200 400 409 413
GET /bulk_jobs/{bulk_job_id} scope of the kind 200 400 404
GET /bulk_jobs/{bulk_job_id}/results scope of the kind 200 400 404 406
POST /bulk_jobs/{bulk_job_id}/pauses scope of the kind 200 400 404 409
POST /bulk_jobs/{bulk_job_id}/continuations scope of the kind 200 400 404 409
POST /bulk_jobs/{bulk_job_id}/cancellations scope of the kind 200 400 404 409
GET /settlements remittances:read 200 400
POST /settlements settlements:write 201 400 404 409 422
GET /settlements/{settlement_id} remittances:read 200 400 404
POST /settlements/{settlement_id}/reversals settlements:write 200 400 404 409
GET /coverages/{coverage_id} coverages:read 200 400 404
GET /preauthorizations benefits:read 200 400
POST /bookings/{booking_id}/cancellations bookings:write 200 400 404 409
POST /preauthorizations/{preauthorization_id}/cancellations benefits:write 200 400 404 409
POST /claims/{claim_id}/cancellations claims:write 200 400 404 409
POST /claims/{claim_id}/reversals claims:adjudicate 200 400 404 409
POST /consents consents:write 200 400
GET /consents/{consent_id} consents:read 200 400 404
POST /tokens secret key 201 400
PATCH /webhook_endpoints/{webhook_endpoint_id} webhooks:write 200 400 404 409 422
GET /events webhooks:read 200 400
GET /events/{event_id} webhooks:read 200 400 404
GET /webhook_endpoints/{webhook_endpoint_id}/deliveries webhooks:read 200 400 404
POST /webhook_endpoints/{webhook_endpoint_id}/deliveries/{event_id}/redeliver webhooks:write 202 400 404 409
POST /webhook_endpoints/{webhook_endpoint_id}/recover webhooks:write 202 400 404 409
POST /webhook_endpoints/{webhook_endpoint_id}/rotate_secret webhooks:write 200 400 404 409
POST /test_helpers/sessions/{session_id}/deliver sessions:write 200 400 404 409
POST /test_helpers/preauthorizations/{preauthorization_id}/expire benefits:write 200 400 404 409
POST /test_clocks clock:write 201 400 409
GET /test_clock clock:read 200 400 404
POST /test_clock/advance clock:write 202 400 404 409`
  .trim()
  .split('\n');

/** Returns the error statuses of an operation, except 401, 403, 429 and 503, which all operations have. */
function ownErrors(operation: Operation): number[] {
  // The list `stableOperations` has no 409 for an operation that has an optional Idempotency-Key and responds 409 only if another
  // request has used the key, unless the list has the status of its replay.
  const conflictsOnlyByKey =
    operation.idempotencyKey === 'optional' &&
    operation.replayStatus === operation.success[0].status &&
    operation.codes.filter((code) =>
      ['invalid_state', 'endpoint_disabled', 'endpoint_limit_reached'].includes(code),
    ).length === 0;
  return operation.errorStatuses.filter(
    (status) => ![401, 403, 429, 503].includes(status) && !(status === 409 && conflictsOnlyByKey),
  );
}

test('the table has exactly the stable operations, with their scopes and statuses', () => {
  const rows = operationList.map((operation) =>
    [
      operation.method,
      operation.path,
      operation.scope,
      ...operation.success.map((success) => success.status),
      ...ownErrors(operation),
    ].join(' '),
  );
  expect([...rows].sort()).toEqual([...stableOperations].sort());
});

test('no two operations share a method and path', () => {
  const routes = operationList.map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`);
  expect(new Set(routes).size).toBe(routes.length);
});

test('every operation documents 401, 403, 429 and 503', () => {
  for (const operation of operationList) {
    expect(operation.errorStatuses).toEqual(expect.arrayContaining([401, 403, 429, 503]));
    expect(new Set(operationErrors(operation)).size).toBe(operationErrors(operation).length);
  }
});

test('every operation that validates requests can reject a body, and GET / cannot', () => {
  for (const operation of operationList) {
    const errors = operationErrors(operation);
    const rejectsBodies = ['payload_too_large', 'unsupported_media_type'].map(
      (code) => errors.filter((each) => each === code).length === 1,
    );
    const validatesRequests = operation.id !== 'getApi';
    expect([operation.id, ...rejectsBodies]).toEqual([operation.id, validatesRequests, validatesRequests]);
  }
});

test('the parameters of a path are those of its schema, and the first identifies the resource', () => {
  for (const operation of operationList) {
    const named = [...operation.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
    expect(Object.keys(Reflect.get(operation.params, 'properties'))).toEqual(named);
    expect(operation.resourceIdParam).toBe(named[0]);
  }
});

test('reads take no Idempotency-Key and no body; creations, payments, cancellations and reversals require a key', () => {
  const required = operationList.filter((operation) => operation.idempotencyKey === 'required');
  expect(required.map((operation) => operation.id).sort()).toEqual([
    'adjudicateClaim',
    'advanceTestClock',
    'cancelBooking',
    'cancelBulkJob',
    'cancelClaim',
    'cancelPreauthorization',
    'createBooking',
    'createBulkJob',
    'createClaim',
    'createCoverage',
    'createCoverageBatch',
    'createEligibilityCheck',
    'createPaymentAdvice',
    'createPreauthorization',
    'createRemittance',
    'createSession',
    'createSettlement',
    'decidePreauthorization',
    'replacePaymentAdvice',
    'requestClaimInformation',
    'reverseClaim',
    'reverseSettlement',
    'submitClaimEvidence',
    'withdrawPaymentAdvice',
  ]);
  for (const operation of operationList) {
    expect(operation.idempotencyKey === 'none').toBe(operation.method === 'GET');
    if (operation.method === 'GET') expect(operation.body).toBeUndefined();
  }
});

test('exactly the operations that store the Idempotency-Key document idempotency_conflict', () => {
  for (const operation of operationList) {
    const storesKey = operation.idempotencyKey === 'required' || operation.idempotencyKey === 'optional';
    expect([operation.id, operation.codes.includes('idempotency_conflict')]).toEqual([
      operation.id,
      storesKey,
    ]);
  }
});

test('every operation except GET / documents validation_failed', () => {
  for (const operation of operationList) {
    expect([operation.id, operation.codes.includes('validation_failed')]).toEqual([
      operation.id,
      operation.id !== 'getApi',
    ]);
  }
});

test('a replay responds 200 for the creations that say so, otherwise with the first status', () => {
  const changed = operationList.filter((operation) => operation.replayStatus !== operation.success[0].status);
  expect(changed.map((operation) => [operation.id, operation.replayStatus]).sort()).toEqual([
    ['createBooking', 200],
    ['createBulkJob', 200],
    ['createCoverage', 200],
    ['createCoverageBatch', 200],
    ['createEligibilityCheck', 200],
    ['createPreauthorization', 200],
    ['createSession', 200],
    ['createValuationRun', 200],
  ]);
});

test('every operation except discovery and tokens requires a scope', () => {
  const withoutScope = operationList.filter((operation) => grants([], operation.scope));
  expect(withoutScope.map((operation) => operation.id)).toEqual(['getApi', 'createToken']);
});

test('only the body of a batch can be larger than 1 MiB', () => {
  const larger = operationList.filter((operation) => operation.bodyLimitBytes > 1024 * 1024);
  expect(larger.map((operation) => [operation.id, operation.bodyLimitBytes])).toEqual([
    ['createCoverageBatch', 5 * 1024 * 1024],
  ]);
});

test('only the test helpers, the test clocks and the test event are limited to the sandbox', () => {
  const sandbox = operationList.filter((operation) => operation.sandboxOnly);
  expect(sandbox.map((operation) => operation.id).sort()).toEqual([
    'advanceTestClock',
    'createTestClock',
    'deliverSession',
    'expirePreauthorization',
    'getTestClock',
    'testWebhookEndpoint',
  ]);
});

test('operations and operationList contain the same rows', () => {
  expect(Object.values(operations)).toEqual(operationList);
  expect(Object.values(identifierPrefixes)).toHaveLength(20);
});
