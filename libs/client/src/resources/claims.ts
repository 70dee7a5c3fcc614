/** The client's methods for claims, from submission to valuation. */
import type {
  AdjudicationInput,
  CancellationInput,
  Claim,
  ClaimId,
  ClaimInput,
  EligibilityCheckInput,
  EvidenceInput,
  InformationRequestInput,
  PractitionerId,
  PreauthorizationId,
  ReversalInput,
  SessionId,
  ValuationRunId,
  ValuationRunInput,
  ValuationRunSummary,
} from '../generated/types.ts';
import type { CallOptions, Transport } from '../transport.ts';
import type { PageQuery, StatusQuery } from './queries.ts';

export interface ClaimQuery extends StatusQuery<Claim['status']> {
  readonly provider_claim_reference?: string;
  readonly session_id?: SessionId;
  readonly preauthorization_id?: PreauthorizationId;
  readonly practitioner_id?: PractitionerId;
  /** Selects claims with an open information request that is due before this instant; RFC 3339. */
  readonly due_before?: string;
}

export interface ClaimValuationQuery {
  /** The cutoff, RFC 3339, inclusive; at most 5 seconds in the future. */
  readonly valuation_at: string;
  /** Counts only facts that took effect by this instant: RFC 3339, inclusive, not after `valuation_at`, which is the default. */
  readonly effective_through?: string;
}

export interface ReceivablesQuery {
  /** The instant for which the amounts are computed: RFC 3339, inclusive, at most 5 seconds in the future. */
  readonly at: string;
  readonly currency?: EligibilityCheckInput['currency'];
}

export const receivables = (transport: Transport) => ({
  /**
   * Reads the outstanding amounts of the project's claims as they were known at an instant, by age, practitioner and payer. Amounts are in minor units.
   *
   * @example
   * const { currencies } = await carecover.receivables.retrieve({ at: '2025-03-31T23:59:59.999Z', currency: 'KES' });
   */
  retrieve: (query: ReceivablesQuery, options?: CallOptions) =>
    transport.call('getReceivables', { query: { ...query } }, options),
});

export interface ReceivablesMethods extends ReturnType<typeof receivables> {}

export interface ValuationRunQuery extends StatusQuery<ValuationRunSummary['status']> {
  readonly kind?: ValuationRunSummary['kind'];
}

export const valuationRuns = (transport: Transport) => ({
  /**
   * Lists the runs without their groups and triangles, which `retrieve` returns.
   *
   * @example
   * for await (const { id, status } of carecover.valuationRuns.list({ kind: 'totals' })) console.log(id, status);
   */
  list: (query: ValuationRunQuery = {}, options?: CallOptions) =>
    transport.list('listValuationRuns', query, options),

  /**
   * Starts a run that values all claims of the project. To get the result, call `retrieve` until the run's status is not `pending`.
   *
   * @example
   * const run = await carecover.valuationRuns.create({
   *   valuation_at: '2025-03-31T23:59:59.999Z',
   *   kind: 'totals',
   *   group_by: ['status', 'payer_reference'],
   * });
   */
  create: (body: ValuationRunInput, options?: CallOptions) =>
    transport.call('createValuationRun', { body }, options),

  /**
   * Reads a run. Amounts are in minor units.
   *
   * @example
   * const { status, totals } = await carecover.valuationRuns.retrieve('vrun_0199f2a4');
   */
  retrieve: (id: ValuationRunId, options?: CallOptions) =>
    transport.call('getValuationRun', { params: { valuation_run_id: id } }, options),

  /**
   * Lists the claims that the run counted, with their status and amounts at its cutoffs, in minor units.
   *
   * @example
   * for await (const { id, amount } of carecover.valuationRuns.claims('vrun_0199f2a4')) console.log(id, amount.billed);
   */
  claims: (id: ValuationRunId, query: PageQuery = {}, options?: CallOptions) =>
    transport.list('listValuationRunClaims', query, options, { valuation_run_id: id }),
});

export interface ValuationRunsMethods extends ReturnType<typeof valuationRuns> {}

export const claims = (transport: Transport) => ({
  /**
   * Lists the claims, newest first.
   *
   * @example
   * for await (const { id } of carecover.claims.list({ status: 'queried' })) console.log(id);
   */
  list: (query: ClaimQuery = {}, options?: CallOptions) => transport.list('listClaims', query, options),

  /**
   * Submits a claim for a delivered session. The amount of a line is an integer in minor units, and the total of the line: 350000 is KES 3,500.00.
   *
   * @example
   * const claim = await carecover.claims.submit({
   *   eligibility_check_id: 'elig_0199f2a4',
   *   session_id: 'ses_0199f2a4',
   *   preauthorization_id: 'preauth_0199f2a4',
   *   provider_claim_reference: 'INV-2025-0042',
   *   lines: [{ code_system: 'CPT', service_code: 'psy.individual.50', units: 1, amount: 350_000 }],
   * });
   */
  submit: (body: ClaimInput, options?: CallOptions) => transport.call('createClaim', { body }, options),

  /**
   * Reads a claim. Amounts are in minor units.
   *
   * @example
   * const { status, amount } = await carecover.claims.retrieve('clm_0199f2a4');
   */
  retrieve: (id: ClaimId, options?: CallOptions) =>
    transport.call('getClaim', { params: { claim_id: id } }, options),

  /**
   * Reads the resources that the claim is connected with: session, booking, remittances, settlements and others.
   *
   * @example
   * const { booking_id, remittances } = await carecover.claims.links('clm_0199f2a4');
   */
  links: (id: ClaimId, options?: CallOptions) =>
    transport.call('getClaimLinks', { params: { claim_id: id } }, options),

  /**
   * Reads the claim as it was known at the cutoff. The valuation for a cutoff never changes. Amounts are in minor units.
   *
   * @example
   * const { amount, events } = await carecover.claims.valuation('clm_0199f2a4', { valuation_at: '2025-03-11T00:00:00Z' });
   */
  valuation: (id: ClaimId, query: ClaimValuationQuery, options?: CallOptions) =>
    transport.call('getClaimValuation', { params: { claim_id: id }, query: { ...query } }, options),

  /**
   * Asks the provider for evidence, optionally until a deadline (RFC 3339).
   *
   * @example
   * await carecover.claims.requestInformation('clm_0199f2a4', {
   *   reason_code: 'referral_missing',
   *   requested_evidence_types: ['referral_letter'],
   *   due_at: '2099-03-20T00:00:00Z',
   * });
   */
  requestInformation: (id: ClaimId, body: InformationRequestInput, options?: CallOptions) =>
    transport.call('requestClaimInformation', { params: { claim_id: id }, body }, options),

  /**
   * Responds to an open information request, and resubmits the claim.
   *
   * @example
   * await carecover.claims.submitEvidence('clm_0199f2a4', {
   *   information_request_id: 'cir_0199f2a4',
   *   evidence_refs: ['referral:8812'],
   * });
   */
  submitEvidence: (id: ClaimId, body: EvidenceInput, options?: CallOptions) =>
    transport.call('submitClaimEvidence', { params: { claim_id: id }, body }, options),

  /**
   * Records the payer's decision on every line of the claim. Amounts are integers in minor units: billed = allowed + adjustment, and allowed = payer +
   * patient_responsibility. Requires the scope claims:adjudicate.
   *
   * @example
   * await carecover.claims.adjudicate('clm_0199f2a4', {
   *   policy_reference: 'policy:outpatient',
   *   policy_version: '2025.1',
   *   reason_codes: ['fee_schedule'],
   *   lines: [
   *     {
   *       line_number: 1,
   *       amount: {
   *         billed: 350_000,
   *         allowed: 320_000,
   *         payer: 300_000,
   *         patient_responsibility: 20_000,
   *         adjustment: 30_000,
   *       },
   *       reason_codes: ['fee_schedule'],
   *     },
   *   ],
   * });
   */
  adjudicate: (id: ClaimId, body: AdjudicationInput, options?: CallOptions) =>
    transport.call('adjudicateClaim', { params: { claim_id: id }, body }, options),

  /**
   * Cancels a claim before its adjudication. Releases the session and the pre-authorization.
   *
   * @example
   * await carecover.claims.cancel('clm_0199f2a4', { reason_code: 'entered_in_error' });
   */
  cancel: (id: ClaimId, body: CancellationInput, options?: CallOptions) =>
    transport.call('cancelClaim', { params: { claim_id: id }, body }, options),

  /**
   * Reverses an approved, partially approved or settled claim. Requires the scope claims:adjudicate.
   *
   * @example
   * await carecover.claims.reverse('clm_0199f2a4', { reason_code: 'recorded_in_error' });
   */
  reverse: (id: ClaimId, body: ReversalInput, options?: CallOptions) =>
    transport.call('reverseClaim', { params: { claim_id: id }, body }, options),
});

export interface ClaimsMethods extends ReturnType<typeof claims> {}
