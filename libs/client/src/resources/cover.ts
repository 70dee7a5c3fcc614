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
  /**
   * Records a coverage as the payer observed it. `amount_limit` is per session, in minor units. No response contains `member_reference`.
   *
   * @example
   * const { coverage_id } = await carecover.coverages.record({
   *   source_contract_reference: 'contract/2025',
   *   external_coverage_reference: 'coverage-4711',
   *   source_version: '7',
   *   tenant_reference: 'group/nairobi-tech',
   *   member_reference: 'member:88123',
   *   service_code: 'psy.individual.50',
   *   plan_name: 'Outpatient Plus',
   *   status: 'active',
   *   currency: 'KES',
   *   amount_limit: 400_000,
   *   remaining_sessions: 12,
   *   authorization_required: true,
   *   coordination_priority: 1,
   *   valid_from: '2025-01-01T00:00:00Z',
   *   valid_until: '2100-01-01T00:00:00Z',
   *   observed_at: '2025-02-01T06:00:00Z',
   *   evidence_references: ['registry/extract-18'],
   * });
   */
  record: (body: CoverageInput, options?: CallOptions) => transport.call('createCoverage', { body }, options),

  /**
   * Records up to 500 coverage observations in one request, either all or none. Amounts are in minor units.
   *
   * @example
   * await carecover.coverages.recordBatch('artifact/2025-02-01', {
   *   contract_version: '2026-08-01',
   *   batch_reference: 'batch-2025-02-01',
   *   source_contract_reference: 'contract/2025',
   *   batch_version: '1',
   *   generated_at: '2025-02-01T06:00:00Z',
   *   records: [
   *     {
   *       coverage_reference: 'coverage-4711',
   *       record_version: '7',
   *       tenant_reference: 'group/nairobi-tech',
   *       member_reference: 'member:88123',
   *       service_code: 'psy.individual.50',
   *       plan_name: 'Outpatient Plus',
   *       status: 'active',
   *       currency: 'KES',
   *       amount_limit: 400_000,
   *       remaining_sessions: 12,
   *       authorization_required: true,
   *       coordination_priority: 1,
   *       valid_from: '2025-01-01T00:00:00Z',
   *       valid_until: '2100-01-01T00:00:00Z',
   *     },
   *   ],
   * });
   */
  recordBatch: (artifactReference: string, body: CoverageBatchInput, options?: CallOptions) =>
    transport.call(
      'createCoverageBatch',
      { body, headers: { 'x-artifact-reference': artifactReference } },
      options,
    ),

  /**
   * Reads the coverage's latest observation. Amounts are in minor units.
   *
   * @example
   * const { remaining_sessions } = await carecover.coverages.retrieve('cov_0199f2a4');
   */
  retrieve: (id: CoverageId, options?: CallOptions) =>
    transport.call('getCoverage', { params: { coverage_id: id } }, options),
});

export interface CoveragesMethods extends ReturnType<typeof coverages> {}

export const eligibilityChecks = (transport: Transport) => ({
  /**
   * Checks whether a session is covered. The result is a decision, not an error. The amount is the price of the session in minor units: 350000 is KES 3,500.00.
   *
   * @example
   * const check = await carecover.eligibilityChecks.create({
   *   member_reference: 'member:88123',
   *   service_code: 'psy.individual.50',
   *   scheduled_at: '2099-03-02T10:00:00+03:00',
   *   amount: 350_000,
   *   currency: 'KES',
   * });
   * if (check.status === 'ineligible') console.log(check.reason_codes);
   */
  create: (body: EligibilityCheckInput, options?: CallOptions) =>
    transport.call('createEligibilityCheck', { body }, options),

  /**
   * Reads an eligibility check.
   *
   * @example
   * const { status } = await carecover.eligibilityChecks.retrieve('elig_0199f2a4');
   */
  retrieve: (id: EligibilityCheckId, options?: CallOptions) =>
    transport.call('getEligibilityCheck', { params: { eligibility_check_id: id } }, options),
});

export interface EligibilityChecksMethods extends ReturnType<typeof eligibilityChecks> {}

export interface PreauthorizationQuery extends StatusQuery<Preauthorization['status']> {
  readonly booking_id?: BookingId;
}

export const preauthorizations = (transport: Transport) => ({
  /**
   * Lists the pre-authorizations, newest first.
   *
   * @example
   * for await (const { id } of carecover.preauthorizations.list({ status: 'pending' })) console.log(id);
   */
  list: (query: PreauthorizationQuery = {}, options?: CallOptions) =>
    transport.list('listPreauthorizations', query, options),

  /**
   * Requests a pre-authorization for a covered booking. It reserves nothing until the payer approves it.
   *
   * @example
   * const { id } = await carecover.preauthorizations.create({
   *   eligibility_check_id: 'elig_0199f2a4',
   *   booking_id: 'bkg_0199f2a4',
   * });
   */
  create: (body: PreauthorizationInput, options?: CallOptions) =>
    transport.call('createPreauthorization', { body }, options),

  /**
   * Reads a pre-authorization. Amounts are in minor units.
   *
   * @example
   * const { status, amount } = await carecover.preauthorizations.retrieve('preauth_0199f2a4');
   */
  retrieve: (id: PreauthorizationId, options?: CallOptions) =>
    transport.call('getPreauthorization', { params: { preauthorization_id: id } }, options),

  /**
   * Records the payer's decision. `approved_amount` is in minor units. Requires the scope benefits:decide.
   *
   * @example
   * await carecover.preauthorizations.decide('preauth_0199f2a4', {
   *   outcome: 'approved',
   *   approved_amount: 350_000,
   *   valid_until: '2099-04-01T00:00:00Z',
   *   reason_codes: ['within_policy'],
   *   policy_reference: 'policy:outpatient',
   *   policy_version: '2025.1',
   *   evidence_references: ['referral:8812'],
   * });
   */
  decide: (id: PreauthorizationId, body: PreauthorizationDecisionInput, options?: CallOptions) =>
    transport.call('decidePreauthorization', { params: { preauthorization_id: id }, body }, options),

  /**
   * Cancels a pending or approved pre-authorization, and releases its session of the benefit.
   *
   * @example
   * await carecover.preauthorizations.cancel('preauth_0199f2a4', { reason_code: 'person_unavailable' });
   */
  cancel: (id: PreauthorizationId, body: CancellationInput, options?: CallOptions) =>
    transport.call('cancelPreauthorization', { params: { preauthorization_id: id }, body }, options),
});

export interface PreauthorizationsMethods extends ReturnType<typeof preauthorizations> {}

export const consents = (transport: Transport) => ({
  /**
   * Records a member's consent to the sharing of data.
   *
   * @example
   * await carecover.consents.record({ member_reference: 'member:88123', status: 'granted' });
   */
  record: (body: ConsentInput, options?: CallOptions) => transport.call('recordConsent', { body }, options),

  /**
   * Reads a consent.
   *
   * @example
   * const { status } = await carecover.consents.retrieve('con_0199f2a4');
   */
  retrieve: (id: ConsentId, options?: CallOptions) =>
    transport.call('getConsent', { params: { consent_id: id } }, options),
});

export interface ConsentsMethods extends ReturnType<typeof consents> {}
