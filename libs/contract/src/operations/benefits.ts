// The operations of coverages, eligibility checks, pre-authorizations and consents.
import {
  CoverageBatchInput,
  CoverageInput,
  EligibilityCheckInput,
  PreauthorizationDecisionInput,
  PreauthorizationInput,
} from '../inputs/benefits';
import { CancellationInput, ConsentInput } from '../inputs/care';
import { payerReference } from '../inputs/fields';
import { NoQuery, PreauthorizationsQuery } from '../inputs/queries';
import { BATCH_BODY_LIMIT_BYTES } from '../limits';
import { Consent } from '../resources/consent';
import { CoverageBatchResult, CoverageObservation } from '../resources/coverage';
import { EligibilityCheck } from '../resources/eligibility-check';
import { Preauthorization } from '../resources/preauthorization';
import { listOf } from '../schema';
import { defineOperation, NoParams, pathIdentifier, pathParameters } from './definition';

const coverage = pathParameters({ coverage_id: pathIdentifier('coverage') });
const check = pathParameters({ eligibility_check_id: pathIdentifier('eligibilityCheck') });
const preauthorization = pathParameters({ preauthorization_id: pathIdentifier('preauthorization') });
const consent = pathParameters({ consent_id: pathIdentifier('consent') });

const coverageOperations = {
  createCoverage: defineOperation({
    method: 'POST',
    path: '/coverages',
    tag: 'Coverage',
    summary: 'Record a coverage observation',
    description:
      'For a version that is already recorded with the same content, the response is 200 with the first observation, also under another Idempotency-Key.',
    service: 'benefits',
    scope: 'coverages:write',
    params: NoParams,
    query: NoQuery,
    body: CoverageInput,
    success: [
      { status: 201, schema: CoverageObservation },
      { status: 200, schema: CoverageObservation, replay: true },
    ],
    codes: ['validation_failed', 'idempotency_conflict', 'source_version_conflict'],
    idempotencyKey: 'required',
    creates: true,
  }),
  createCoverageBatch: defineOperation({
    method: 'POST',
    path: '/coverage_batches',
    tag: 'Coverage',
    summary: 'Record a batch of coverage observations',
    description: 'Records either all observations or none. If all were recorded before, the response is 200.',
    service: 'benefits',
    scope: 'coverages:write',
    params: NoParams,
    query: NoQuery,
    body: CoverageBatchInput,
    headers: {
      'X-Artifact-Reference': payerReference(
        "The payer's reference of the file that contains this body.",
        190,
      ),
    },
    success: [
      { status: 201, schema: CoverageBatchResult },
      { status: 200, schema: CoverageBatchResult, replay: true },
    ],
    codes: ['validation_failed', 'idempotency_conflict', 'source_version_conflict', 'payload_too_large'],
    idempotencyKey: 'required',
    bodyLimitBytes: BATCH_BODY_LIMIT_BYTES,
    creates: true,
  }),
  getCoverage: defineOperation({
    method: 'GET',
    path: '/coverages/{coverage_id}',
    tag: 'Coverage',
    summary: 'Read the latest observation of a coverage',
    service: 'benefits',
    scope: 'coverages:read',
    params: coverage,
    query: NoQuery,
    success: [{ status: 200, schema: CoverageObservation }],
    codes: ['validation_failed', 'resource_not_found'],
    idempotencyKey: 'none',
  }),
};

const eligibilityOperations = {
  createEligibilityCheck: defineOperation({
    method: 'POST',
    path: '/eligibility_checks',
    tag: 'Benefits',
    summary: 'Check eligibility',
    description: 'An ineligible result is not an error: the response is 201 with the reason codes.',
    service: 'benefits',
    scope: 'benefits:write',
    params: NoParams,
    query: NoQuery,
    body: EligibilityCheckInput,
    success: [
      { status: 201, schema: EligibilityCheck },
      { status: 200, schema: EligibilityCheck, replay: true },
    ],
    codes: ['validation_failed', 'consent_required', 'idempotency_conflict', 'session_in_past'],
    idempotencyKey: 'required',
    creates: true,
  }),
  getEligibilityCheck: defineOperation({
    method: 'GET',
    path: '/eligibility_checks/{eligibility_check_id}',
    tag: 'Benefits',
    summary: 'Read an eligibility check',
    service: 'benefits',
    scope: 'benefits:read',
    params: check,
    query: NoQuery,
    success: [{ status: 200, schema: EligibilityCheck }],
    codes: ['validation_failed', 'resource_not_found'],
    idempotencyKey: 'none',
  }),
};

const preauthorizationOperations = {
  listPreauthorizations: defineOperation({
    method: 'GET',
    path: '/preauthorizations',
    tag: 'Benefits',
    summary: 'List pre-authorizations',
    service: 'benefits',
    scope: 'benefits:read',
    params: NoParams,
    query: PreauthorizationsQuery,
    success: [{ status: 200, schema: listOf(Preauthorization) }],
    codes: ['validation_failed'],
    idempotencyKey: 'none',
  }),
  createPreauthorization: defineOperation({
    method: 'POST',
    path: '/preauthorizations',
    tag: 'Benefits',
    summary: 'Open a pre-authorization',
    description:
      'The booking must be covered and its check eligible. Only the approval reserves the benefit.',
    service: 'benefits',
    scope: 'benefits:write',
    params: NoParams,
    query: NoQuery,
    body: PreauthorizationInput,
    success: [
      { status: 201, schema: Preauthorization },
      { status: 200, schema: Preauthorization, replay: true },
    ],
    codes: [
      'validation_failed',
      'resource_not_found',
      'idempotency_conflict',
      'invalid_state',
      'preauthorization_exists',
      'not_eligible',
      'booking_not_covered',
      'service_mismatch',
      'session_in_past',
    ],
    idempotencyKey: 'required',
    creates: true,
  }),
  getPreauthorization: defineOperation({
    method: 'GET',
    path: '/preauthorizations/{preauthorization_id}',
    tag: 'Benefits',
    summary: 'Read a pre-authorization',
    service: 'benefits',
    scope: 'benefits:read',
    params: preauthorization,
    query: NoQuery,
    success: [{ status: 200, schema: Preauthorization }],
    codes: ['validation_failed', 'resource_not_found'],
    idempotencyKey: 'none',
  }),
  decidePreauthorization: defineOperation({
    method: 'POST',
    path: '/preauthorizations/{preauthorization_id}/decisions',
    tag: 'Benefits',
    summary: 'Decide a pre-authorization',
    description:
      'An approval reserves one session of the benefit and confirms the booking; a denial does neither.',
    service: 'benefits',
    scope: 'benefits:decide',
    params: preauthorization,
    query: NoQuery,
    body: PreauthorizationDecisionInput,
    success: [{ status: 200, schema: Preauthorization }],
    codes: [
      'validation_failed',
      'resource_not_found',
      'idempotency_conflict',
      'invalid_state',
      'benefit_exhausted',
      'amount_exceeds_request',
      'valid_until_in_past',
    ],
    idempotencyKey: 'required',
  }),
  cancelPreauthorization: defineOperation({
    method: 'POST',
    path: '/preauthorizations/{preauthorization_id}/cancellations',
    tag: 'Benefits',
    summary: 'Cancel a pre-authorization',
    description: 'Allowed in pending and approved, unless a claim uses it. Releases the reservation.',
    service: 'benefits',
    scope: 'benefits:write',
    params: preauthorization,
    query: NoQuery,
    body: CancellationInput,
    success: [{ status: 200, schema: Preauthorization }],
    codes: ['validation_failed', 'resource_not_found', 'idempotency_conflict', 'invalid_state'],
    idempotencyKey: 'required',
  }),
  expirePreauthorization: defineOperation({
    method: 'POST',
    path: '/test_helpers/preauthorizations/{preauthorization_id}/expire',
    tag: 'Test helpers',
    summary: 'Expire a pre-authorization now',
    description: 'Has the same effect as its deadline. Sandbox only.',
    service: 'benefits',
    scope: 'benefits:write',
    params: preauthorization,
    query: NoQuery,
    success: [{ status: 200, schema: Preauthorization }],
    codes: ['validation_failed', 'resource_not_found', 'idempotency_conflict', 'invalid_state'],
    idempotencyKey: 'optional',
    sandboxOnly: true,
  }),
};

const consentOperations = {
  recordConsent: defineOperation({
    method: 'POST',
    path: '/consents',
    tag: 'Consents',
    summary: "Record a member's consent",
    description: 'There is one consent per member. A later request changes it.',
    service: 'benefits',
    scope: 'consents:write',
    params: NoParams,
    query: NoQuery,
    body: ConsentInput,
    success: [{ status: 200, schema: Consent }],
    codes: ['validation_failed', 'idempotency_conflict'],
    idempotencyKey: 'optional',
    creates: true,
  }),
  getConsent: defineOperation({
    method: 'GET',
    path: '/consents/{consent_id}',
    tag: 'Consents',
    summary: 'Read a consent',
    service: 'benefits',
    scope: 'consents:read',
    params: consent,
    query: NoQuery,
    success: [{ status: 200, schema: Consent }],
    codes: ['validation_failed', 'resource_not_found'],
    idempotencyKey: 'none',
  }),
};

export const benefitsOperations = {
  ...coverageOperations,
  ...eligibilityOperations,
  ...preauthorizationOperations,
  ...consentOperations,
};
