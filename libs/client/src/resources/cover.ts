/** The client's methods for coverages, eligibility checks, pre-authorizations and consents. */
import type {
  BookingId,
  CancellationInput,
  ConsentId,
  ConsentInput,
  CoverageBatchInput,
  CoverageId,
  CoverageInput,
  EligibilityCheckId,
  EligibilityCheckInput,
  Preauthorization,
  PreauthorizationDecisionInput,
  PreauthorizationId,
  PreauthorizationInput,
} from '../generated/types.ts';
import type { CallOptions, Transport } from '../transport.ts';
import type { StatusQuery } from './queries.ts';

export const coverages = (transport: Transport) => ({
  record: (body: CoverageInput, options?: CallOptions) => transport.call('createCoverage', { body }, options),

  /** Records up to 500 coverage observations in one request, either all or none. */
  recordBatch: (artifactReference: string, body: CoverageBatchInput, options?: CallOptions) =>
    transport.call(
      'createCoverageBatch',
      { body, headers: { 'x-artifact-reference': artifactReference } },
      options,
    ),

  /** Reads the coverage's latest observation. */
  retrieve: (id: CoverageId, options?: CallOptions) =>
    transport.call('getCoverage', { params: { coverage_id: id } }, options),
});

export const eligibilityChecks = (transport: Transport) => ({
  create: (body: EligibilityCheckInput, options?: CallOptions) =>
    transport.call('createEligibilityCheck', { body }, options),

  retrieve: (id: EligibilityCheckId, options?: CallOptions) =>
    transport.call('getEligibilityCheck', { params: { eligibility_check_id: id } }, options),
});

export interface PreauthorizationQuery extends StatusQuery<Preauthorization['status']> {
  readonly booking_id?: BookingId;
}

export const preauthorizations = (transport: Transport) => ({
  list: (query: PreauthorizationQuery = {}, options?: CallOptions) =>
    transport.list('listPreauthorizations', query, options),

  create: (body: PreauthorizationInput, options?: CallOptions) =>
    transport.call('createPreauthorization', { body }, options),

  retrieve: (id: PreauthorizationId, options?: CallOptions) =>
    transport.call('getPreauthorization', { params: { preauthorization_id: id } }, options),

  /** Records the payer's decision. Requires the scope benefits:decide. */
  decide: (id: PreauthorizationId, body: PreauthorizationDecisionInput, options?: CallOptions) =>
    transport.call('decidePreauthorization', { params: { preauthorization_id: id }, body }, options),

  cancel: (id: PreauthorizationId, body: CancellationInput, options?: CallOptions) =>
    transport.call('cancelPreauthorization', { params: { preauthorization_id: id }, body }, options),
});

export const consents = (transport: Transport) => ({
  record: (body: ConsentInput, options?: CallOptions) => transport.call('recordConsent', { body }, options),

  retrieve: (id: ConsentId, options?: CallOptions) =>
    transport.call('getConsent', { params: { consent_id: id } }, options),
});
