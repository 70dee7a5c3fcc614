/** The kinds of claims in a data set, and the requests that make a claim of each kind through the API. */
import {
  CarecoverError,
  type Claim,
  type ClaimId,
  type CoverageInput,
  type PreauthorizationId,
  type RemittanceId,
} from '@carecover/client';
import { eventually } from '@carecover/testing/servers';
import type { World } from '@carecover/testing/stack';

/** The payer in the coverages of all templates. In copies, the number of another payer replaces 01. */
const PAYER: Partial<CoverageInput> = {
  source_contract_reference: 'contract:01',
  tenant_reference: 'payer:01',
  plan_name: 'Plan 01',
};
const PAID = 300_000;
const REASON = { reason_code: 'recorded_in_error' };

type MadeClaim = Pick<Claim, 'id'>;

async function adjudicated(world: World, id: ClaimId): Promise<MadeClaim> {
  return world.client.claims.adjudicate(id, world.adjudicationInput());
}

async function corrected(world: World, id: ClaimId): Promise<MadeClaim> {
  await world.client.claims.adjudicate(id, world.adjudicationInput(200_000, 50_000));
  return adjudicated(world, id);
}

async function remit(world: World, id: ClaimId): Promise<RemittanceId> {
  const allocations = [{ claim_id: id, paid_amount: PAID }];
  return (await world.client.remittances.create(world.remittanceInput(allocations))).id;
}

async function settle(world: World, id: ClaimId): Promise<unknown> {
  return world.client.settlements.create(world.settlementInput(await remit(world, id), PAID));
}

/** Waits until no claim uses a pre-authorization, and then makes the pre-authorization expire through the test helper of the sandbox. */
async function expire({ client }: World, id: PreauthorizationId): Promise<unknown> {
  return eventually('the pre-authorization expires', async () => {
    try {
      return await client.testHelpers.expirePreauthorization(id);
    } catch (error) {
      if (error instanceof CarecoverError && error.code === 'invalid_state') return undefined;
      throw error;
    }
  });
}

interface Kind {
  /**
   * Whether the claim still waits for an adjudication or settlement. Such claims are generated only in the last days of the period of a
   * data set.
   */
  readonly isOpen: boolean;
  /** Sends the requests that change a submitted claim into a claim of this kind. */
  readonly continue: (
    world: World,
    claimId: ClaimId,
    preauthorizationId: PreauthorizationId,
  ) => Promise<unknown>;
}

/** The kinds by name. A claim has three facts after its submission, and seven or eight when it is settled. */
export const kinds = {
  submitted: { isOpen: true, continue: async () => undefined },
  answered: {
    isOpen: true,
    async continue({ client: { claims } }, id) {
      const question = { reason_code: 'notes_missing', requested_evidence_types: ['notes'] };
      const { information_requests } = await claims.requestInformation(id, question);
      const [request] = information_requests;
      if (request === undefined) throw new Error('the claim has no information request');
      await claims.submitEvidence(id, { information_request_id: request.id, evidence_refs: ['note:1'] });
    },
  },
  adjudicated: { isOpen: true, continue: adjudicated },
  corrected: { isOpen: true, continue: corrected },
  remitted: {
    isOpen: true,
    async continue(world, id) {
      await adjudicated(world, id);
      await remit(world, id);
    },
  },
  settled: {
    isOpen: false,
    async continue(world, id) {
      await adjudicated(world, id);
      await settle(world, id);
    },
  },
  correctedAndSettled: {
    isOpen: false,
    async continue(world, id) {
      await corrected(world, id);
      await settle(world, id);
    },
  },
  reversed: {
    isOpen: false,
    async continue(world, id, preauthorizationId) {
      await adjudicated(world, id);
      await settle(world, id);
      await world.client.claims.reverse(id, REASON);
      // The reversal releases the pre-authorization, which would expire later. It is expired here, because the pre-authorization of a
      // copy in the past must have expired.
      await expire(world, preauthorizationId);
    },
  },
  denied: {
    isOpen: false,
    continue: (world, id) => world.client.claims.adjudicate(id, world.adjudicationInput(0, 0)),
  },
} as const satisfies Record<string, Kind>;

export type ClaimKind = keyof typeof kinds;

export const kindNames = Object.keys(kinds) as ClaimKind[];

/** Makes a claim of this kind through the API. Returns its ID and the start of its session in epoch milliseconds. */
export async function makeClaim(world: World, kind: ClaimKind): Promise<{ id: ClaimId; startsAtMs: number }> {
  const approved = await world.createApprovedPreauthorization(PAYER);
  await world.deliverSession(approved);
  const { id } = await world.client.claims.submit(world.claimInput(approved));
  await kinds[kind].continue(world, id, approved.preauthorization.id);
  return { id, startsAtMs: Date.parse(approved.startsAt) };
}
