/**
 * Kills parts of a stack in turn during concurrent submissions and adjudications, which clients repeat under their idempotency keys. Every
 * claim is created once and has each fact once, and every remittance is recorded once in the ledger and on its claims.
 */

import type { Claim, ClaimId } from '@carecover/client';
import { fc } from '@carecover/testing';
import { testSize } from '@carecover/testing/servers';
import { mapConcurrently, retryUntilResponse, useWorld } from '@carecover/testing/stack';
import { whileKilling } from './killing';

const CLAIMS = testSize({ ci: 24, soak: 200 });
const REMITTANCES = testSize({ ci: 12, soak: 100 });
const WIDTH = 16;

const running = useWorld();

const PACE = { upMs: testSize({ ci: 1_000, soak: 3_000 }), downMs: 300 };

async function readFacts(id: ClaimId): Promise<string[]> {
  const { updated_at } = await running.world.client.claims.retrieve(id);
  const { events } = await running.world.client.claims.valuation(id, { valuation_at: updated_at });
  return events.map(({ type }) => type);
}

test(`${CLAIMS} claims are created and adjudicated once each while claims, Temporal and PostgreSQL are killed in turn`, async () => {
  const { world } = running;
  const claimables = await mapConcurrently(Array.from({ length: CLAIMS }), 8, () =>
    world.createClaimableSession(),
  );
  const parts = (['claims', 'temporal', 'postgresql'] as const).map((name) => running.stack.part(name));
  const { result: decided } = await whileKilling(parts, PACE, () =>
    mapConcurrently(claimables, WIDTH, async (claimable) => {
      const input = world.claimInput(claimable);
      const claim = await retryUntilResponse((options) => world.client.claims.submit(input, options));
      return retryUntilResponse((options) =>
        world.client.claims.adjudicate(claim.id, world.adjudicationInput(), options),
      );
    }),
  );
  expect(new Set(decided.map(({ id }) => id)).size).toBe(CLAIMS);
  for (const { id } of decided) {
    expect(await readFacts(id)).toEqual(['created', 'validated', 'submitted', 'partially_approved']);
  }
  const listed = new Set<string>();
  for await (const { id } of world.client.claims.list({ limit: 100 })) listed.add(id);
  expect(listed.size).toBe(CLAIMS);
  for (const { preauthorization } of claimables) {
    const cancellation = world.client.preauthorizations.cancel(preauthorization.id, {
      reason_code: 'not_wanted',
    });
    await expect(cancellation).rejects.toMatchObject({ code: 'invalid_state' });
  }
  await running.operator('ledger', 'verify');
}, 900_000);

test(`${REMITTANCES} remittances over overlapping claims are recorded once each while payments, claims, Temporal and PostgreSQL are killed in turn`, async () => {
  const { world } = running;
  const claims: Claim[] = await mapConcurrently(Array.from({ length: 6 }), 6, () =>
    world.createAdjudicatedClaim(),
  );
  const share = Math.floor(300_000 / REMITTANCES);
  const names = ['payments', 'claims', 'temporal', 'postgresql'] as const;
  const parts = names.map((name) => running.stack.part(name));
  const orders = fc.sample(fc.shuffledSubarray(claims, { minLength: claims.length }), REMITTANCES);
  const { result: remittances } = await whileKilling(parts, PACE, () =>
    mapConcurrently(orders, WIDTH, (order) => {
      const allocations = order.map(({ id }) => ({ claim_id: id, paid_amount: share }));
      const input = world.remittanceInput(allocations);
      return retryUntilResponse((options) => world.client.remittances.create(input, options));
    }),
  );
  expect(new Set(remittances.map(({ id }) => id)).size).toBe(REMITTANCES);
  for (const { id } of claims) {
    const { amount } = await world.client.claims.retrieve(id);
    expect(amount.remitted).toBe(share * REMITTANCES);
    const recorded = (await readFacts(id)).filter((type) => type === 'remittance_recorded');
    expect(recorded).toHaveLength(REMITTANCES);
  }
  await running.operator('ledger', 'verify');
}, 900_000);
