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
  /** Reads the outstanding amounts of the project's claims as they were known at an instant, by age, practitioner and payer. */
  retrieve: (query: ReceivablesQuery, options?: CallOptions) =>
    transport.call('getReceivables', { query: { ...query } }, options),
});

export interface ValuationRunQuery extends StatusQuery<ValuationRunSummary['status']> {
  readonly kind?: ValuationRunSummary['kind'];
}

export const valuationRuns = (transport: Transport) => ({
  /** Lists the runs without their groups and triangles, which `retrieve` returns. */
  list: (query: ValuationRunQuery = {}, options?: CallOptions) =>
    transport.list('listValuationRuns', query, options),

  /** Starts a run that values all claims of the project. To get the result, call `retrieve` until the run's status is not `pending`. */
  create: (body: ValuationRunInput, options?: CallOptions) =>
    transport.call('createValuationRun', { body }, options),

  retrieve: (id: ValuationRunId, options?: CallOptions) =>
    transport.call('getValuationRun', { params: { valuation_run_id: id } }, options),

  /** Lists the claims that the run counted, with their status and amounts at its cutoffs. */
  claims: (id: ValuationRunId, query: PageQuery = {}, options?: CallOptions) =>
    transport.list('listValuationRunClaims', query, options, { valuation_run_id: id }),
});

export const claims = (transport: Transport) => ({
  list: (query: ClaimQuery = {}, options?: CallOptions) => transport.list('listClaims', query, options),

  submit: (body: ClaimInput, options?: CallOptions) => transport.call('createClaim', { body }, options),

  retrieve: (id: ClaimId, options?: CallOptions) =>
    transport.call('getClaim', { params: { claim_id: id } }, options),

  /** Reads the resources that the claim is connected with: session, booking, remittances, settlements and others. */
  links: (id: ClaimId, options?: CallOptions) =>
    transport.call('getClaimLinks', { params: { claim_id: id } }, options),

  /** Reads the claim as it was known at the cutoff. The valuation for a cutoff never changes. */
  valuation: (id: ClaimId, query: ClaimValuationQuery, options?: CallOptions) =>
    transport.call('getClaimValuation', { params: { claim_id: id }, query: { ...query } }, options),

  requestInformation: (id: ClaimId, body: InformationRequestInput, options?: CallOptions) =>
    transport.call('requestClaimInformation', { params: { claim_id: id }, body }, options),

  submitEvidence: (id: ClaimId, body: EvidenceInput, options?: CallOptions) =>
    transport.call('submitClaimEvidence', { params: { claim_id: id }, body }, options),

  adjudicate: (id: ClaimId, body: AdjudicationInput, options?: CallOptions) =>
    transport.call('adjudicateClaim', { params: { claim_id: id }, body }, options),

  cancel: (id: ClaimId, body: CancellationInput, options?: CallOptions) =>
    transport.call('cancelClaim', { params: { claim_id: id }, body }, options),

  reverse: (id: ClaimId, body: ReversalInput, options?: CallOptions) =>
    transport.call('reverseClaim', { params: { claim_id: id }, body }, options),
});
