/** Coverage, eligibility, pre-authorizations and consents. */
import type {
  CancellationInput,
  Consent,
  ConsentInput,
  CoverageBatchInput,
  CoverageBatchResult,
  CoverageInput,
  CoverageObservation,
  EligibilityCheck,
  EligibilityCheckInput,
  Preauthorization,
  PreauthorizationDecisionInput,
  PreauthorizationInput,
} from '../generated/types.ts';
import type { CallOptions, Transport } from '../transport.ts';
import type { StatusQuery } from './queries.ts';

export const coverages = (transport: Transport) => ({
  record: (body: CoverageInput, options?: CallOptions) =>
    transport.call<CoverageObservation>('createCoverage', { body }, options),

  /** Up to 500 records, all or none. */
  recordBatch: (artifactReference: string, body: CoverageBatchInput, options?: CallOptions) =>
    transport.call<CoverageBatchResult>(
      'createCoverageBatch',
      { body, headers: { 'x-artifact-reference': artifactReference } },
      options,
    ),

  /** The latest observation. */
  retrieve: (id: string, options?: CallOptions) =>
    transport.call<CoverageObservation>('getCoverage', { params: { coverage_id: id } }, options),
});

export const eligibilityChecks = (transport: Transport) => ({
  create: (body: EligibilityCheckInput, options?: CallOptions) =>
    transport.call<EligibilityCheck>('createEligibilityCheck', { body }, options),

  retrieve: (id: string, options?: CallOptions) =>
    transport.call<EligibilityCheck>(
      'getEligibilityCheck',
      { params: { eligibility_check_id: id } },
      options,
    ),
});

export const preauthorizations = (transport: Transport) => ({
  list: (query: StatusQuery<Preauthorization['status']> = {}, options?: CallOptions) =>
    transport.list<Preauthorization, StatusQuery<Preauthorization['status']>>(
      'listPreauthorizations',
      query,
      options,
    ),

  create: (body: PreauthorizationInput, options?: CallOptions) =>
    transport.call<Preauthorization>('createPreauthorization', { body }, options),

  retrieve: (id: string, options?: CallOptions) =>
    transport.call<Preauthorization>('getPreauthorization', { params: { preauthorization_id: id } }, options),

  /** The payer's decision; needs the scope benefits:decide. */
  decide: (id: string, body: PreauthorizationDecisionInput, options?: CallOptions) =>
    transport.call<Preauthorization>(
      'decidePreauthorization',
      { params: { preauthorization_id: id }, body },
      options,
    ),

  cancel: (id: string, body: CancellationInput, options?: CallOptions) =>
    transport.call<Preauthorization>(
      'cancelPreauthorization',
      { params: { preauthorization_id: id }, body },
      options,
    ),
});

export const consents = (transport: Transport) => ({
  record: (body: ConsentInput, options?: CallOptions) =>
    transport.call<Consent>('recordConsent', { body }, options),

  retrieve: (id: string, options?: CallOptions) =>
    transport.call<Consent>('getConsent', { params: { consent_id: id } }, options),
});
