/** Provocations of claims. */
import { eventually } from '@carecover/testing/servers';
import { SERVICE, type World } from '@carecover/testing/stack';
import { deleteRuns, fillWithPendingRuns } from '../store/valuation-runs';
import type { Attempt, Provocation, Provocations } from './provocation';

type Claim = Awaited<ReturnType<World['createQueriedClaim']>>;

const reason = { reason_code: 'entered_in_error' };
const question = { reason_code: 'notes_missing', requested_evidence_types: ['notes'] };

/** Creates a provocation that prepares a new claim, and whose request is about this claim and has the given body. */
function withClaim(
  create: (world: World) => Promise<Pick<Claim, 'id'>>,
  body: (world: World) => unknown,
): Provocation {
  return async (world): Promise<Attempt> => ({
    params: { claim_id: (await create(world)).id },
    body: body(world),
  });
}

const submitted = (world: World) => world.createSubmittedClaim();
const queried = (world: World) => world.createQueriedClaim();
const decided = (world: World) => world.createAdjudicatedClaim();

async function createRun(world: World) {
  const { updated_at } = await world.createAdjudicatedClaim();
  return world.client.valuationRuns.create({ valuation_at: updated_at, kind: 'totals' });
}

export const claimsProvocations: Provocations = {
  listClaims: {
    success: async (world) => {
      const { id, provider_claim_reference } = await world.createSubmittedClaim();
      const { session_id, practitioner_id } = await world.client.claims.links(id);
      return {
        query: {
          status: 'submitted',
          session_id,
          practitioner_id,
          provider_claim_reference: provider_claim_reference ?? '',
        },
      };
    },
  },
  getClaimLinks: {
    success: async (world) => {
      const { allocations } = await world.createRemittance();
      return { params: { claim_id: allocations[0]?.claim_id ?? '' } };
    },
  },
  getReceivables: {
    success: async (world) => {
      const { updated_at } = await world.createAdjudicatedClaim();
      return { query: { at: updated_at, currency: 'KES' } };
    },
  },
  listValuationRuns: {
    success: async (world) => {
      await createRun(world);
      return { query: { kind: 'totals' } };
    },
  },
  createValuationRun: {
    success: async (world) => {
      const { updated_at } = await world.createAdjudicatedClaim();
      return { body: { valuation_at: updated_at, kind: 'totals', group_by: ['status', 'age_band'] } };
    },
    invalid_state: async (world) => {
      const { id, updated_at } = await world.createAdjudicatedClaim();
      let deleteInserted: Attempt['cleanUp'];
      return {
        body: { valuation_at: updated_at, kind: 'totals' },
        async insertRows(databaseUrl) {
          const runs = await fillWithPendingRuns(databaseUrl, id);
          deleteInserted = () => deleteRuns(databaseUrl, runs);
        },
        cleanUp: async () => deleteInserted?.(),
      };
    },
  },
  getValuationRun: {
    success: async (world) => ({ params: { valuation_run_id: (await createRun(world)).id } }),
  },
  listValuationRunClaims: {
    success: async (world) => {
      const { id } = await createRun(world);
      await eventually(
        'the valuation run is ready',
        async () => (await world.client.valuationRuns.retrieve(id)).status === 'ready',
      );
      return { params: { valuation_run_id: id }, query: { limit: '1' } };
    },
    not_acceptable: async (world) => {
      const { id } = await createRun(world);
      return { params: { valuation_run_id: id }, headers: { accept: 'application/pdf' } };
    },
    valuation_not_ready: async (world) => {
      const at = new Date(Date.now() + 4_500).toISOString();
      const { id } = await world.client.valuationRuns.create({ valuation_at: at, kind: 'totals' });
      return { params: { valuation_run_id: id } };
    },
  },
  createClaim: {
    success: async (world) => ({ body: world.claimInput(await world.createClaimableSession()) }),
    resource_not_found: async (world) => ({
      body: world.claimInput(await world.createClaimableSession(), { session_id: 'ses_unknown' }),
    }),
    consent_required: async (world) => {
      const claimable = await world.createClaimableSession();
      await world.client.consents.record({ member_reference: claimable.member, status: 'withdrawn' });
      return { body: world.claimInput(claimable) };
    },
    duplicate_claim_reference: async (world) => {
      const { provider_claim_reference } = await world.createSubmittedClaim();
      return {
        body: world.claimInput(await world.createClaimableSession(), {
          provider_claim_reference: provider_claim_reference ?? '',
        }),
      };
    },
    session_already_claimed: async (world) => {
      const claimable = await world.createClaimableSession();
      await world.client.claims.submit(world.claimInput(claimable));
      return { body: world.claimInput(claimable) };
    },
    not_eligible: async (world) => {
      const booked = await world.createBooking(world.uniqueReference('member'));
      await world.deliverSession(booked);
      return { body: world.claimInput(booked) };
    },
    service_mismatch: async (world) => ({
      body: world.claimInput(await world.createClaimableSession(), {
        lines: [{ code_system: 'CPT', service_code: 'another-service', units: 1, amount: 1 }],
      }),
    }),
    booking_not_covered: async (world) => {
      const member = world.uniqueReference('member');
      await world.recordCoverage(member, { authorization_required: false });
      const booked = await world.createBooking(member, 'self_pay');
      await world.deliverSession(booked);
      return { body: world.claimInput(booked) };
    },
    session_not_delivered: async (world) => ({
      body: world.claimInput(await world.createApprovedPreauthorization()),
    }),
    authorization_required: async (world) => {
      const booked = await world.createCoveredBooking();
      await world.deliverSession(booked);
      return { body: world.claimInput(booked) };
    },
    validation_failed: async (world) => {
      const lines = Array.from({ length: 2 }, () => ({
        code_system: 'CPT',
        service_code: SERVICE,
        units: 1,
        amount: Number.MAX_SAFE_INTEGER,
      }));
      return { body: world.claimInput(await world.createClaimableSession(), { lines }) };
    },
  },
  getClaim: { success: async (world) => ({ params: { claim_id: (await world.createSubmittedClaim()).id } }) },
  getClaimValuation: {
    success: async (world) => {
      const claim = await world.createAdjudicatedClaim();
      return { params: { claim_id: claim.id }, query: { valuation_at: claim.updated_at } };
    },
    resource_not_found: async (world) => {
      const claim = await world.createSubmittedClaim();
      return { params: { claim_id: claim.id }, query: { valuation_at: '2020-01-01T00:00:00Z' } };
    },
    validation_failed: async (world) => {
      const claim = await world.createSubmittedClaim();
      return { params: { claim_id: claim.id }, query: { valuation_at: world.daysFromNow(1) } };
    },
  },
  requestClaimInformation: {
    success: withClaim(submitted, () => question),
    invalid_state: withClaim(queried, () => question),
    validation_failed: withClaim(submitted, (world) => ({ ...question, due_at: world.daysFromNow(-1) })),
  },
  submitClaimEvidence: {
    success: async (world) => createEvidence(await world.createQueriedClaim()),
    resource_not_found: withClaim(queried, () => ({
      information_request_id: 'cir_unknown',
      evidence_refs: ['note:1'],
    })),
    invalid_state: async (world) => {
      const claim = await world.createQueriedClaim();
      const attempt = createEvidence(claim);
      await world.client.claims.submitEvidence(claim.id, attempt.body);
      return attempt;
    },
  },
  adjudicateClaim: {
    success: withClaim(submitted, (world) => world.adjudicationInput()),
    invalid_state: withClaim(queried, (world) => world.adjudicationInput()),
    adjudication_lines_mismatch: withClaim(submitted, (world) => {
      const adjudication = world.adjudicationInput();
      return { ...adjudication, lines: adjudication.lines.slice(1) };
    }),
    adjudication_unbalanced: withClaim(submitted, (world) => {
      const adjudication = world.adjudicationInput();
      const lines = adjudication.lines.map((line) => ({
        ...line,
        amount: { ...line.amount, adjustment: 1 },
      }));
      return { ...adjudication, lines };
    }),
  },
  cancelClaim: {
    success: withClaim(submitted, () => reason),
    invalid_state: withClaim(decided, () => reason),
  },
  reverseClaim: {
    success: withClaim(decided, () => reason),
    invalid_state: withClaim(submitted, () => reason),
  },
};

function createEvidence({ id, information_requests: [request] }: Claim) {
  if (request === undefined) throw new Error('the claim has no information request');
  return {
    params: { claim_id: id },
    body: { information_request_id: request.id, evidence_refs: ['note:1'] },
  };
}
