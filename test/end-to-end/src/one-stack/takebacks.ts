/** The way of the guide "Takebacks", on the services together: what the payer takes back is remitted and settled no longer. */
import type { ClaimId, PaymentAdvice } from '@carecover/client';
import { eventually } from '@carecover/testing/servers';
import { running } from './world';

let overpaid: ClaimId;
let paid: ClaimId;
let advice: PaymentAdvice;
let beforeAdvice: string;

const amountsOf = async (id: ClaimId) => (await running.world.client.claims.retrieve(id)).amount;

beforeAll(async () => {
  const { world } = running;
  const settlement = await world.createSettlement();
  const remittance = await world.client.remittances.retrieve(settlement.remittance_id);
  overpaid = remittance.allocations[0]?.claim_id ?? 'clm_';
  paid = (await world.createAdjudicatedClaim()).id;
  beforeAdvice = new Date().toISOString();
  advice = await world.client.paymentAdvices.create({
    ...world.remittanceInput([{ claim_id: paid, paid_amount: 300_000 }]),
    recoveries: [{ claim_id: overpaid, amount: 20_000, reason_codes: ['overpaid'] }],
    adjustments: [{ kind: 'fee', amount: -1_000 }],
    net: 279_000,
  });
});

test('the advice lowers what is remitted at once, and what is settled with the deposit of the net', async () => {
  const { client, settlementInput } = {
    ...running.world,
    settlementInput: running.world.settlementInput.bind(running.world),
  };
  expect(await amountsOf(overpaid)).toMatchObject({ remitted: 280_000, settled: 300_000 });
  await client.settlements.create(settlementInput(advice.remittance_id, 279_000));
  expect((await client.paymentAdvices.retrieve(advice.id)).status).toBe('reconciled');
  expect(await amountsOf(overpaid)).toMatchObject({ remitted: 280_000, settled: 280_000 });
  expect(await amountsOf(paid)).toMatchObject({ remitted: 300_000, settled: 300_000 });
  expect((await client.claims.retrieve(overpaid)).status).toBe('partially_approved');
});

test('the valuation shows it, and the valuation of before keeps its bytes', async () => {
  const { client } = running.world;
  const before = { valuation_at: beforeAdvice };
  const known = await client.claims.valuation(overpaid, before);
  const now = await client.claims.valuation(overpaid, { valuation_at: new Date().toISOString() });
  expect(known.amount).toMatchObject({ remitted: 300_000, settled: 300_000, outstanding: 0 });
  expect(now.amount).toMatchObject({ remitted: 280_000, settled: 280_000, outstanding: 20_000 });
  expect(await client.claims.valuation(overpaid, before)).toEqual(known);
  const links = await client.claims.links(overpaid);
  expect(links.remittances.length).toBeGreaterThan(0);
});

test('a balance below zero is deducted by the next advice, and settled with its deposit', async () => {
  const { world } = running;
  const { client } = world;
  const payer = world.uniqueReference('payer');
  const first = await client.paymentAdvices.create({
    ...world.remittanceInput([]),
    payer,
    recoveries: [{ claim_id: paid, amount: 50_000 }],
    net: -50_000,
  });
  const own = async () =>
    (await client.paymentAdvices.balances()).data.filter((each) => each.payer === payer);
  expect(await own()).toEqual([{ payer, currency: 'KES', to_deduct: 50_000, advices: 1 }]);
  const other = await world.createAdjudicatedClaim();
  const second = await client.paymentAdvices.create({
    ...world.remittanceInput([{ claim_id: other.id, paid_amount: 300_000 }]),
    payer,
    adjustments: [{ kind: 'forwarded_balance', amount: -50_000 }],
    net: 250_000,
  });
  expect(await own()).toEqual([]);
  await client.settlements.create(world.settlementInput(second.remittance_id, 250_000));
  await eventually('the advice of the balance is reconciled', async () =>
    (await client.paymentAdvices.retrieve(first.id)).status === 'reconciled' ? true : undefined,
  );
  // The deposit is the other advice's, so claims is notified about this one by its workflow, after the response.
  await eventually('claims has the settled balance', async () =>
    (await amountsOf(paid)).settled === 250_000 ? true : undefined,
  );
  expect(await amountsOf(paid)).toMatchObject({ remitted: 250_000, settled: 250_000 });
  expect((await client.claims.links(paid)).claim_id).toBe(paid);
});
