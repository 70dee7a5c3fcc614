/**
 * Kills the claims process at each failpoint of a submission and an adjudication, or a service that it calls between that service's
 * commit and response. After the restart, the repeated request must have exactly one effect.
 */
import type { Claim, Event } from '@carecover/client';
import { operations } from '@carecover/contract';
import { eventually } from '@carecover/local/testing';
import { retryUntilResponse, useWorld } from '@carecover/test-support';

/** The failpoints of a command, in the order in which it reaches them. */
const FAILPOINTS = [
  'command.accepted', // before the Update
  'command.prepared', // before the saga's first step elsewhere
  'command.deciding', // after the saga's steps elsewhere
  'command.before-commit',
  'command.after-commit',
  'command.before-answer',
  'relay.before-publish',
] as const;

const running = useWorld();

type ServiceToKill = 'claims' | 'care' | 'benefits' | 'payments';

/** The failpoints of a command's steps in other services: the service to kill, and the failpoint with its step. */
const SUBMISSION_STEPS: readonly [ServiceToKill, string][] = [
  ['claims', 'step.before-call:sessionForClaim'],
  ['care', 'step.before-answer:sessionForClaim'],
  ['claims', 'step.before-call:useForClaim'],
  ['benefits', 'step.before-answer:useForClaim'],
  ['claims', 'step.after-call:useForClaim'],
];
const ADJUDICATION_STEPS: readonly [ServiceToKill, string][] = [
  ['claims', 'step.before-call:openLiability'],
  ['payments', 'step.before-answer:openLiability'],
  ['claims', 'step.after-call:openLiability'],
];

function failpointsOf(
  operation: string,
  steps: readonly [ServiceToKill, string][],
): [ServiceToKill, string][] {
  const own = FAILPOINTS.map((point): [ServiceToKill, string] => [
    'claims',
    point.startsWith('relay') ? point : `${point}:${operation}`,
  ]);
  return [...own, ...steps];
}

/** Restarts a process with a failpoint at which it kills itself. Its next start has no failpoint. */
async function restartWithFailpoint(service: ServiceToKill, failpoint: string): Promise<void> {
  await running.stack.process(service).restart({ CARECOVER_FAILPOINTS: failpoint });
}

/** Waits until a claim has `count` events, and returns their types, oldest first. */
async function waitForEvents(claimId: string, count: number): Promise<Event['type'][]> {
  return eventually(`the claim has ${count} events`, async () => {
    const types: Event['type'][] = [];
    for await (const { data, type } of running.world.client.events.list({ limit: 100 })) {
      if ('id' in data && data.id === claimId) types.push(type);
    }
    return types.length >= count && types.reverse();
  });
}

async function readFacts({ id }: Claim): Promise<string[]> {
  const { updated_at } = await running.world.client.claims.retrieve(id);
  const { events } = await running.world.client.claims.value(id, updated_at);
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
  return events.map(({ type }) => type);
}

async function findClaimsByReference(reference: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id, provider_claim_reference } of running.world.client.claims.list({ limit: 100 })) {
    if (provider_claim_reference === reference) ids.push(id);
  }
  return ids;
}

test.each(failpointsOf(operations.createClaim.id, SUBMISSION_STEPS))(
  'a submission creates one claim although %s is killed at %s',
  async (service, point) => {
    const { world } = running;
    const claimable = await world.createClaimableSession();
    const input = world.claimInput(claimable);
    await restartWithFailpoint(service, point);
    const claim = await retryUntilResponse((options) => world.client.claims.submit(input, options));
    expect(await readFacts(claim)).toEqual(['created', 'validated', 'submitted']);
    expect(await waitForEvents(claim.id, 1)).toEqual(['claim.submitted']);
    expect(await findClaimsByReference(input.provider_claim_reference)).toEqual([claim.id]);
    const cancellation = world.client.preauthorizations.cancel(claimable.preauthorization.id, {
      reason_code: 'not_wanted',
    });
    await expect(cancellation).rejects.toMatchObject({ code: 'invalid_state' });
  },
);

test.each(failpointsOf(operations.adjudicateClaim.id, ADJUDICATION_STEPS))(
  'an adjudication is recorded once although %s is killed at %s',
  async (service, point) => {
    const { world } = running;
    const submitted = await world.createSubmittedClaim();
    expect(await waitForEvents(submitted.id, 1)).toEqual(['claim.submitted']);
    await restartWithFailpoint(service, point);
    const claim = await retryUntilResponse((options) =>
      world.client.claims.adjudicate(submitted.id, world.adjudicationInput(), options),
    );
    expect(claim.adjudication?.version).toBe(1);
    expect(await readFacts(claim)).toEqual(['created', 'validated', 'submitted', 'partially_approved']);
    expect(await waitForEvents(claim.id, 2)).toEqual(['claim.submitted', 'claim.partially_approved']);
    const allocations = [{ claim_id: claim.id, paid_amount: 300_000 }];
    const remittance = await world.client.remittances.create(world.remittanceInput(allocations));
    expect(remittance.status).toBe('received');
  },
);
