Object.defineProperty(exports, '__esModule', { value: true });
exports.claimsProvocations = void 0;
/** Claims, from submission to valuation. */
const world_1 = require('../world');
const reason = { reason_code: 'entered_in_error' };
const question = { reason_code: 'notes_missing', requested_evidence_types: ['notes'] };
/** A request about a claim that the world makes. */
function about(make, body) {
  return async (world) => ({
    params: { claim_id: (await make(world)).id },
    body: body(world),
  });
}
const submitted = (world) => world.submitted();
const queried = (world) => world.queried();
const decided = (world) => world.decided();
exports.claimsProvocations = {
  listClaims: { success: async () => ({ query: { status: 'submitted' } }) },
  createClaim: {
    success: async (world) => ({ body: world.claimInput(await world.claimable()) }),
    resource_not_found: async (world) => ({
      body: world.claimInput(await world.claimable(), { session_id: 'ses_unknown' }),
    }),
    consent_required: async (world) => {
      const claimable = await world.claimable();
      await world.client.consents.record({ member_reference: claimable.member, status: 'withdrawn' });
      return { body: world.claimInput(claimable) };
    },
    duplicate_claim_reference: async (world) => {
      const { provider_claim_reference } = await world.submitted();
      return {
        body: world.claimInput(await world.claimable(), {
          provider_claim_reference: provider_claim_reference ?? '',
        }),
      };
    },
    session_already_claimed: async (world) => {
      const claimable = await world.claimable();
      await world.client.claims.submit(world.claimInput(claimable));
      return { body: world.claimInput(claimable) };
    },
    not_eligible: async (world) => {
      const booked = await world.bookFor(world.unique('member'));
      await world.deliver(booked);
      return { body: world.claimInput(booked) };
    },
    service_mismatch: async (world) => ({
      body: world.claimInput(await world.claimable(), {
        lines: [{ code_system: 'CPT', service_code: 'another-service', units: 1, amount: 1 }],
      }),
    }),
    booking_not_covered: async (world) => {
      const member = world.unique('member');
      await world.coverage(member, { authorization_required: false });
      const booked = await world.bookFor(member, 'self_pay');
      await world.deliver(booked);
      return { body: world.claimInput(booked) };
    },
    session_not_delivered: async (world) => ({ body: world.claimInput(await world.approved()) }),
    authorization_required: async (world) => {
      const booked = await world.covered();
      await world.deliver(booked);
      return { body: world.claimInput(booked) };
    },
    validation_failed: async (world) => {
      const lines = Array.from({ length: 2 }, () => ({
        code_system: 'CPT',
        service_code: world_1.SERVICE,
        units: 1,
        amount: Number.MAX_SAFE_INTEGER,
      }));
      return { body: world.claimInput(await world.claimable(), { lines }) };
    },
  },
  getClaim: { success: async (world) => ({ params: { claim_id: (await world.submitted()).id } }) },
  getClaimValuation: {
    success: async (world) => {
      const claim = await world.decided();
      return { params: { claim_id: claim.id }, query: { valuation_at: claim.updated_at } };
    },
    resource_not_found: async (world) => {
      const claim = await world.submitted();
      return { params: { claim_id: claim.id }, query: { valuation_at: '2020-01-01T00:00:00Z' } };
    },
    validation_failed: async (world) => {
      const claim = await world.submitted();
      return { params: { claim_id: claim.id }, query: { valuation_at: world.inDays(1) } };
    },
  },
  requestClaimInformation: {
    success: about(submitted, () => question),
    invalid_state: about(queried, () => question),
    validation_failed: about(submitted, (world) => ({ ...question, due_at: world.inDays(-1) })),
  },
  submitClaimEvidence: {
    success: async (world) => evidence(await world.queried()),
    resource_not_found: about(queried, () => ({
      information_request_id: 'cir_unknown',
      evidence_refs: ['note:1'],
    })),
    invalid_state: async (world) => {
      const claim = await world.queried();
      const attempt = evidence(claim);
      await world.client.claims.submitEvidence(claim.id, attempt.body);
      return attempt;
    },
  },
  adjudicateClaim: {
    success: about(submitted, (world) => world.adjudication()),
    invalid_state: about(queried, (world) => world.adjudication()),
    adjudication_lines_mismatch: about(submitted, (world) => {
      const adjudication = world.adjudication();
      return { ...adjudication, lines: adjudication.lines.slice(1) };
    }),
    adjudication_unbalanced: about(submitted, (world) => {
      const adjudication = world.adjudication();
      const lines = adjudication.lines.map((line) => ({
        ...line,
        amount: { ...line.amount, adjustment: 1 },
      }));
      return { ...adjudication, lines };
    }),
  },
  cancelClaim: { success: about(submitted, () => reason), invalid_state: about(decided, () => reason) },
  reverseClaim: { success: about(decided, () => reason), invalid_state: about(submitted, () => reason) },
};
function evidence(claim) {
  return {
    params: { claim_id: claim.id },
    body: { information_request_id: claim.information_requests[0]?.id ?? '', evidence_refs: ['note:1'] },
  };
}
