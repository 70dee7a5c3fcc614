/** Claims, from submission to valuation. */
import type {
  AdjudicationInput,
  CancellationInput,
  Claim,
  ClaimInput,
  ClaimValuation,
  EvidenceInput,
  InformationRequestInput,
  ReversalInput,
} from '../generated/types.ts';
import type { CallOptions, Transport } from '../transport.ts';
import type { StatusQuery } from './queries.ts';

export const claims = (transport: Transport) => ({
  list: (query: StatusQuery<Claim['status']> = {}, options?: CallOptions) =>
    transport.list<Claim, StatusQuery<Claim['status']>>('listClaims', query, options),

  submit: (body: ClaimInput, options?: CallOptions) =>
    transport.call<Claim>('createClaim', { body }, options),

  retrieve: (id: string, options?: CallOptions) =>
    transport.call<Claim>('getClaim', { params: { claim_id: id } }, options),

  /** What was known at the cutoff (ISO 8601, inclusive): the same bytes for ever. */
  value: (id: string, valuationAt: string, options?: CallOptions) =>
    transport.call<ClaimValuation>(
      'getClaimValuation',
      { params: { claim_id: id }, query: { valuation_at: valuationAt } },
      options,
    ),

  requestInformation: (id: string, body: InformationRequestInput, options?: CallOptions) =>
    transport.call<Claim>('requestClaimInformation', { params: { claim_id: id }, body }, options),

  submitEvidence: (id: string, body: EvidenceInput, options?: CallOptions) =>
    transport.call<Claim>('submitClaimEvidence', { params: { claim_id: id }, body }, options),

  adjudicate: (id: string, body: AdjudicationInput, options?: CallOptions) =>
    transport.call<Claim>('adjudicateClaim', { params: { claim_id: id }, body }, options),

  cancel: (id: string, body: CancellationInput, options?: CallOptions) =>
    transport.call<Claim>('cancelClaim', { params: { claim_id: id }, body }, options),

  reverse: (id: string, body: ReversalInput, options?: CallOptions) =>
    transport.call<Claim>('reverseClaim', { params: { claim_id: id }, body }, options),
});
