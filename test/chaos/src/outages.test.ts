/**
 * Parts die by SIGKILL, one after the other, in the middle of concurrent submissions and adjudications that their callers
 * repeat under their keys: every claim comes into being once, with one of every fact, its pre-authorization used once, and
 * every remittance over overlapping claims is recorded once, in the ledger as in the claims.
 */

import type { Claim } from '@carecover/client';
import { testSize } from '@carecover/local/testing';
import {
  eachOf,
  pause,
  type RunningWorld,
  startWorld,
  untilAnswered,
  type World,
} from '@carecover/test-support';

const CLAIMS = testSize({ ci: 24, soak: 200 });
const REMITTANCES = testSize({ ci: 12, soak: 100 });
const WIDTH = 16;

let running: RunningWorld;
let world: World;

beforeAll(async () => {
  running = await startWorld();
  world = running.world;
}, 120_000);
afterAll(() => running?.stop(), 30_000);

/** Kills the parts in turn and brings each back, until told to stop. */
async function killInTurn(
  parts: readonly (() => { kill(): Promise<void>; start(): Promise<void> })[],
  done: () => boolean,
) {
  for (let turn = 0; !done(); turn++) {
    const part = parts[turn % parts.length];
    if (part === undefined) return;
    await pause(testSize({ ci: 1_000, soak: 3_000 }));
    await part().kill();
    await pause(300);
    await part().start();
  }
}

async function whileParts<T>(
  parts: readonly (() => { kill(): Promise<void>; start(): Promise<void> })[],
  work: () => Promise<T>,
): Promise<T> {
  let done = false;
  const killing = killInTurn(parts, () => done);
  try {
    return await work();
  } finally {
    done = true;
    await killing;
  }
}

const claimsProcess = () => running.stack.process('claims');
const paymentsProcess = () => running.stack.process('payments');
const temporal = () => running.stack.servers.temporal;
const postgresql = () => running.stack.servers.postgresql;

async function factsOf(id: string): Promise<string[]> {
  const { updated_at } = await world.client.claims.retrieve(id);
  const { events } = await world.client.claims.value(id, updated_at);
  return events.map(({ type }) => type);
}

test(`${CLAIMS} claims come into being and are decided once each while claims, Temporal and PostgreSQL die in turn`, async () => {
  const claimables = await eachOf(Array.from({ length: CLAIMS }), 8, () => world.claimable());
  const decided = await whileParts([claimsProcess, temporal, postgresql], () =>
    eachOf(claimables, WIDTH, async (claimable) => {
      const input = world.claimInput(claimable);
      const claim = await untilAnswered((options) => world.client.claims.submit(input, options));
      return untilAnswered((options) =>
        world.client.claims.adjudicate(claim.id, world.adjudication(), options),
      );
    }),
  );
  expect(new Set(decided.map(({ id }) => id)).size).toBe(CLAIMS);
  for (const { id } of decided) {
    expect(await factsOf(id)).toEqual(['created', 'validated', 'submitted', 'partially_approved']);
  }
  const listed = new Set<string>();
  for await (const { id } of world.client.claims.list({ limit: 100 })) listed.add(id);
  expect(listed.size).toBe(CLAIMS);
  for (const { preauthorization } of claimables) {
    const cancelling = world.client.preauthorizations.cancel(preauthorization.id, {
      reason_code: 'not_wanted',
    });
    await expect(cancelling).rejects.toMatchObject({ code: 'invalid_state' });
  }
  await running.operator('ledger', 'verify');
}, 900_000);

test(`${REMITTANCES} remittances over overlapping claims are recorded once each while payments, claims, Temporal and PostgreSQL die in turn`, async () => {
  const claims: Claim[] = await eachOf(Array.from({ length: 6 }), 6, () => world.decided());
  const share = Math.floor(300_000 / REMITTANCES);
  const remittances = await whileParts([paymentsProcess, claimsProcess, temporal, postgresql], () =>
    eachOf(Array.from({ length: REMITTANCES }), WIDTH, () => {
      const allocations = claims.map(({ id }) => ({ claim_id: id, paid_amount: share }));
      const input = world.remittanceInput(allocations.sort(() => Math.random() - 0.5));
      return untilAnswered((options) => world.client.remittances.create(input, options));
    }),
  );
  expect(new Set(remittances.map(({ id }) => id)).size).toBe(REMITTANCES);
  for (const { id } of claims) {
    const { amount } = await world.client.claims.retrieve(id);
    expect(amount.remitted).toBe(share * REMITTANCES);
    const recorded = (await factsOf(id)).filter((type) => type === 'remittance_recorded');
    expect(recorded).toHaveLength(REMITTANCES);
  }
  await running.operator('ledger', 'verify');
}, 900_000);
