/**
 * The claims process dies by SIGKILL at each point of a submission and of an adjudication, or the service that it calls for one of their
 * steps dies after its commit and before its answer. After the restart the same request under the same key must end in one claim, one of
 * each fact and event, one answer, the pre-authorization used once.
 */
import type { Claim, Event } from '@carecover/client';
import { operations } from '@carecover/contract';
import { eventually } from '@carecover/local/testing';
import { untilAnswered, useWorld } from '@carecover/test-support';

/** Where a command can be cut off, in the order in which it passes. */
const POINTS = [
  'command.accepted', // before the Update
  'command.prepared', // before the saga's first step elsewhere
  'command.deciding', // after the saga's steps elsewhere
  'command.before-commit',
  'command.after-commit',
  'command.before-answer',
  'relay.before-publish',
] as const;

const running = useWorld();

type Mortal = 'claims' | 'care' | 'benefits' | 'payments';

/** The points of a step in another service: who dies, at which of them, in which step. */
const SUBMISSION_STEPS: readonly [Mortal, string][] = [
  ['claims', 'step.before-call:sessionForClaim'],
  ['care', 'step.before-answer:sessionForClaim'],
  ['claims', 'step.before-call:useForClaim'],
  ['benefits', 'step.before-answer:useForClaim'],
  ['claims', 'step.after-call:useForClaim'],
];
const ADJUDICATION_STEPS: readonly [Mortal, string][] = [
  ['claims', 'step.before-call:openLiability'],
  ['payments', 'step.before-answer:openLiability'],
  ['claims', 'step.after-call:openLiability'],
];

function pointsOf(operation: string, steps: readonly [Mortal, string][]): [Mortal, string][] {
  const own = POINTS.map((point): [Mortal, string] => [
    'claims',
    point.startsWith('relay') ? point : `${point}:${operation}`,
  ]);
  return [...own, ...steps];
}

/** Restarts the process so that it dies at the point; the run after that is an ordinary one. */
async function arm(mortal: Mortal, failpoint: string): Promise<void> {
  await running.stack.process(mortal).restart({ CARECOVER_FAILPOINTS: failpoint });
}

/** The types of a claim's events, oldest first, once there are `count` of them. */
async function eventsOf(claimId: string, count: number): Promise<Event['type'][]> {
  return eventually(`the claim has ${count} events`, async () => {
    const types: Event['type'][] = [];
    for await (const { data, type } of running.world.client.events.list({ limit: 100 })) {
      if ('id' in data && data.id === claimId) types.push(type);
    }
    return types.length >= count && types.reverse();
  });
}

async function factsOf({ id }: Claim): Promise<string[]> {
  const { updated_at } = await running.world.client.claims.retrieve(id);
  const { events } = await running.world.client.claims.value(id, updated_at);
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
  return events.map(({ type }) => type);
}

async function claimsReferredToAs(reference: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id, provider_claim_reference } of running.world.client.claims.list({ limit: 100 })) {
    if (provider_claim_reference === reference) ids.push(id);
  }
  return ids;
}

test.each(pointsOf(operations.createClaim.id, SUBMISSION_STEPS))(
  'a submission with %s killed at %s ends in one claim',
  async (mortal, point) => {
    const { world } = running;
    const claimable = await world.claimable();
    const input = world.claimInput(claimable);
    await arm(mortal, point);
    const claim = await untilAnswered((options) => world.client.claims.submit(input, options));
    expect(await factsOf(claim)).toEqual(['created', 'validated', 'submitted']);
    expect(await eventsOf(claim.id, 1)).toEqual(['claim.submitted']);
    expect(await claimsReferredToAs(input.provider_claim_reference)).toEqual([claim.id]);
    const cancelling = world.client.preauthorizations.cancel(claimable.preauthorization.id, {
      reason_code: 'not_wanted',
    });
    await expect(cancelling).rejects.toMatchObject({ code: 'invalid_state' });
  },
);

test.each(pointsOf(operations.adjudicateClaim.id, ADJUDICATION_STEPS))(
  'an adjudication with %s killed at %s is decided once',
  async (mortal, point) => {
    const { world } = running;
    const submitted = await world.submitted();
    expect(await eventsOf(submitted.id, 1)).toEqual(['claim.submitted']);
    await arm(mortal, point);
    const claim = await untilAnswered((options) =>
      world.client.claims.adjudicate(submitted.id, world.adjudication(), options),
    );
    expect(claim.adjudication?.version).toBe(1);
    expect(await factsOf(claim)).toEqual(['created', 'validated', 'submitted', 'partially_approved']);
    expect(await eventsOf(claim.id, 2)).toEqual(['claim.submitted', 'claim.partially_approved']);
    const owed = [{ claim_id: claim.id, paid_amount: 300_000 }];
    const remittance = await world.client.remittances.create(world.remittanceInput(owed));
    expect(remittance.status).toBe('received');
  },
);
