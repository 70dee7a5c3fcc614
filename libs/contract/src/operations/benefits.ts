// Coverages, eligibility checks, pre-authorizations and consents.
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
import { NoParams, operation, path, pathIdentifier } from '../operation';
import { Consent } from '../resources/consent';
import { CoverageBatchResult, CoverageObservation } from '../resources/coverage';
import { EligibilityCheck } from '../resources/eligibility-check';
import { Preauthorization } from '../resources/preauthorization';
import { listOf } from '../schema';

const coverage = path({ coverage_id: pathIdentifier('coverage') });
const check = path({ eligibility_check_id: pathIdentifier('eligibilityCheck') });
const preauthorization = path({ preauthorization_id: pathIdentifier('preauthorization') });
const consent = path({ consent_id: pathIdentifier('consent') });

const coverageOperations = {
  createCoverage: operation({
    method: 'POST',
    path: '/coverages',
    tag: 'Coverage',
    summary: 'Record a coverage observation',
    description:
      'The same version with the same content answers 200 with the first observation, also under another Idempotency-Key.',
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
  createCoverageBatch: operation({
    method: 'POST',
    path: '/coverage_batches',
    tag: 'Coverage',
    summary: 'Record a batch of coverage observations',
    description: 'All records or none. A batch with nothing new answers 200.',
    service: 'benefits',
    scope: 'coverages:write',
    params: NoParams,
    query: NoQuery,
    body: CoverageBatchInput,
    headers: {
      'X-Artifact-Reference': payerReference('Where the payer keeps the file that this body is.', 190),
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
  getCoverage: operation({
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
  createEligibilityCheck: operation({
    method: 'POST',
    path: '/eligibility_checks',
    tag: 'Benefits',
    summary: 'Check eligibility',
    description: 'A decision, not an error: ineligible is 201 with its reason codes.',
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
  getEligibilityCheck: operation({
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
  listPreauthorizations: operation({
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
  createPreauthorization: operation({
    method: 'POST',
    path: '/preauthorizations',
    tag: 'Benefits',
    summary: 'Open a pre-authorization',
    description: 'For an eligible covered booking. The benefit is not reserved before the approval.',
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
  getPreauthorization: operation({
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
  decidePreauthorization: operation({
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
  cancelPreauthorization: operation({
    method: 'POST',
    path: '/preauthorizations/{preauthorization_id}/cancellations',
    tag: 'Benefits',
    summary: 'Cancel a pre-authorization',
    description: 'From pending or approved, unless a claim uses it. Releases what it reserved.',
    service: 'benefits',
    scope: 'benefits:write',
    params: preauthorization,
    query: NoQuery,
    body: CancellationInput,
    success: [{ status: 200, schema: Preauthorization }],
    codes: ['validation_failed', 'resource_not_found', 'idempotency_conflict', 'invalid_state'],
    idempotencyKey: 'required',
  }),
  expirePreauthorization: operation({
    method: 'POST',
    path: '/test_helpers/preauthorizations/{preauthorization_id}/expire',
    tag: 'Test helpers',
    summary: 'Expire a pre-authorization now',
    description: 'As its deadline would. Sandbox only.',
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
  recordConsent: operation({
    method: 'POST',
    path: '/consents',
    tag: 'Consents',
    summary: 'Record what a member consents to',
    description: 'There is one consent a member; recording again changes it.',
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
  getConsent: operation({
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
