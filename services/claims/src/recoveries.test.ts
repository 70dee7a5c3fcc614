/** Recoveries that payments reports, over the API: the claim, its valuations, links, history, receivables and workflow. */
import type { Claim, Receivables } from '@carecover/contract';
import { newId } from '@carecover/domain';
import { eventually } from '@carecover/testing/servers';
import { Provider } from './testing/provider';
import { startTestClaims, type TestClaims } from './testing/test-claims';
import { describeClaim } from './use-cases/describe-claim';

let claims: TestClaims;
let provider: Provider;
beforeAll(async () => {
  claims = await startTestClaims();
  provider = new Provider(claims);
});
afterAll(() => claims.stop());

const APPROVED = 150_000;

const approved = async (): Promise<Claim> =>
  provider.adjudicate((await provider.submitted()).id, 100_000, 50_000);

/** Returns a claim that is paid in full, with its remittance and settlement. */
async function paid() {
  const { id } = await approved();
  const remittanceId = await provider.remit(id, APPROVED);
  const settlementId = await provider.settle(id, APPROVED, { remittanceId });
  expect((await provider.read(id)).status).toBe('settled');
  return { id, remittanceId, settlementId };
}

/** Returns the amounts of a claim that are now outstanding, remitted and settled, by its valuation. */
async function valued(id: string) {
  const [row] = await claims.sql<{ now: Date }[]>`select platform.now() as now`;
  const { body, text } = await provider.value(id, row?.now ?? 0);
  const { remitted, settled, outstanding } = body.amount;
  return { at: row?.now ?? 0, text, amounts: [remitted, settled, outstanding] };
}

test('a recovery lowers what is remitted, is recorded once, and leaves what is settled until the bank’s evidence', async () => {
  const { id } = await paid();
  const before = await valued(id);
  const recovery = { recoveryId: newId('rcv_'), receivedAt: '2026-03-20T00:00:00.000Z' };
  await Promise.all([1, 2, 3].map(() => provider.recover(id, 40_000, recovery)));
  expect(await provider.read(id)).toMatchObject({
    status: 'settled',
    amount: { approved: APPROVED, remitted: 110_000, settled: APPROVED },
  });
  expect((await valued(id)).amounts).toEqual([110_000, APPROVED, 0]);
  // The cutoff before the recovery keeps its bytes.
  expect((await provider.value(id, before.at)).text).toBe(before.text);
});

test('the settlement of a recovery makes the claim wait for money again, and its workflow starts again', async () => {
  const { id, settlementId } = await paid();
  await claims.signalsSent();
  await eventually(
    'its run has ended',
    async () => (await claims.runs.describeRun(id))?.status !== 'running',
  );
  await provider.recover(id, 40_000);
  const taken = await provider.settle(id, -40_000, { isReversal: false, after: settlementId });
  expect(await provider.read(id)).toMatchObject({
    status: 'approved',
    amount: { remitted: 110_000, settled: 110_000 },
  });
  expect((await valued(id)).amounts).toEqual([110_000, 110_000, 40_000]);
  await claims.signalsSent();
  await eventually('its run waits', async () => (await claims.runs.describeRun(id))?.status === 'running');
  await provider.remit(id, 40_000);
  await provider.settle(id, 40_000, { after: taken });
  expect((await provider.read(id)).status).toBe('settled');
  const events = await claims.sql`select 1 from outbox where resource_id = ${id} and type = 'claim.settled'`;
  expect(events).toHaveLength(2);
});

test('the reversal of a recovery’s settlement settles the claim again', async () => {
  const { id, settlementId } = await paid();
  await provider.recover(id, 40_000);
  const taken = await provider.settle(id, -40_000, { isReversal: false, after: settlementId });
  await provider.settle(id, 40_000, { settlementId: taken, isReversal: true, after: taken });
  expect(await provider.read(id)).toMatchObject({ status: 'settled', amount: { settled: APPROVED } });
});

test('a recovery that arrives before what it takes back waits for it, and never lowers below zero', async () => {
  const { id } = await approved();
  await expect(provider.recover(id, 1)).rejects.toThrow('not recorded as remitted yet');
  await provider.remit(id, 100);
  await expect(provider.recover(id, 101)).rejects.toThrow('not recorded as remitted yet');
  await expect(provider.settle(id, -1, { isReversal: false })).rejects.toThrow('not recorded as settled yet');
  const racing = await Promise.allSettled([1, 2, 3].map(() => provider.recover(id, 60)));
  expect(racing.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect((await provider.read(id)).amount).toMatchObject({ remitted: 40, settled: null });
});

test.each(['denied', 'reversed'])(
  'a recovery is recorded on a claim that is %s, which stays so',
  async (status) => {
    const { id } = await provider.submitted();
    await provider.adjudicate(id, status === 'denied' ? 0 : 100_000, 0);
    if (status === 'reversed') await provider.ask('reverseClaim', id, { reason_code: 'aa' });
    await provider.remit(id, 40, { adjudicationVersion: 0 });
    const settled = await provider.settle(id, 40);
    await provider.recover(id, 30);
    await provider.settle(id, -30, { isReversal: false, after: settled });
    expect(await provider.read(id)).toMatchObject({ status, amount: { remitted: 10, settled: 10 } });
  },
);

test('a released client sees a recovery as `remittance_recorded`; operators see it as it is', async () => {
  const { id, settlementId } = await paid();
  const recovery = {
    recoveryId: newId('rcv_'),
    adviceId: newId('adv_'),
    receivedAt: '2026-03-20T00:00:00.000Z',
  };
  await provider.recover(id, 40_000, recovery);
  const taken = await provider.settle(id, -40_000, {
    ...{ isReversal: false, after: settlementId, observedAt: '2026-03-21T00:00:00.000Z' },
  });
  const [row] = await claims.sql<{ now: Date }[]>`select platform.now() as now`;
  const { body } = await provider.value(id, row?.now ?? 0);
  expect(body.events.slice(-2)).toEqual([
    expect.objectContaining({
      type: 'remittance_recorded',
      effective_at: recovery.receivedAt,
      previous_status: 'settled',
      next_status: 'settled',
      reason_code: 'overpayment',
      evidence_references: [recovery.recoveryId, recovery.adviceId],
    }),
    expect.objectContaining({ type: 'settled', next_status: 'approved', evidence_references: [taken] }),
  ]);
  const timeline = await claims.operator(provider.tenant, `/claims/${id}/timeline`);
  expect(timeline.body.facts.slice(-2)).toMatchObject([
    { type: 'remittance_recovered', amount: -40_000 },
    { type: 'recovery_settled', amount: -40_000 },
  ]);
  expect(await describeClaim(claims.sql, provider.tenant, id)).toMatch(
    /2026-03-20T00:00:00.000Z {2}\d{4}-.*remittance_recovered.*-40000; overpayment.*by service:payments/,
  );
});

test('the links keep their shape: what is left of each remittance and settlement, with the sums of the claim', async () => {
  const { id } = await approved();
  const links = async () => {
    const { remittances, settlements } = (await provider.ask('getClaimLinks', id)).body;
    return { remittances, settlements };
  };
  const [first, second] = [await provider.remit(id, 100_000), await provider.remit(id, 50_000)];
  const settled = await provider.settle(id, APPROVED);
  await provider.recover(id, 60_000);
  expect(await links()).toEqual({
    remittances: [{ id: first, amount: 90_000 }],
    settlements: [{ id: settled, amount: APPROVED }],
  });
  const taken = await provider.settle(id, -60_000, { isReversal: false, after: settled });
  const third = await provider.remit(id, 60_000);
  expect(await links()).toEqual({
    remittances: [
      { id: first, amount: 90_000 },
      { id: third, amount: 60_000 },
    ],
    settlements: [
      { id: settled, amount: 90_000 },
      { id: taken, amount: 0 },
    ],
  });
  expect((await links()).remittances).not.toContainEqual(expect.objectContaining({ id: second }));
});

test('receivables and a valuation run owe what was taken back, and not before it was known', async () => {
  const other = new Provider(claims);
  const { id } = await other.adjudicate((await other.submitted()).id, 100_000, 50_000);
  await other.remit(id, APPROVED);
  const settled = await other.settle(id, APPROVED);
  const owed = async (at: string) => {
    const { body } = await claims.ask(other.tenant, 'getReceivables', { query: { at } });
    return (body as Receivables).currencies.map(({ outstanding }) => outstanding);
  };
  const now = async () => {
    const [row] = await claims.sql<{ now: Date }[]>`select platform.now() as now`;
    return (row?.now ?? new Date(0)).toISOString();
  };
  const before = await now();
  expect(await owed(before)).toEqual([]);
  await other.recover(id, 40_000);
  await other.settle(id, -40_000, { isReversal: false, after: settled });
  expect(await owed(await now())).toEqual([expect.objectContaining({ total: 40_000 })]);
  expect(await owed(before)).toEqual([]);
  const { body: run } = await claims.ask(other.tenant, 'createValuationRun', {
    body: { kind: 'totals', valuation_at: await now() },
  });
  await eventually('the run is ready', async () => {
    const { body } = await claims.ask(other.tenant, 'getValuationRun', {
      params: { valuation_run_id: run.id },
    });
    return body.status === 'ready';
  });
  const { body: ready } = await claims.ask(other.tenant, 'getValuationRun', {
    params: { valuation_run_id: run.id },
  });
  expect(ready.totals).toMatchObject([
    { amount: { remitted: 110_000, settled: 110_000, outstanding: 40_000 } },
  ]);
});

describe('the withdrawal of an advice', () => {
  test('lowers what is remitted again, is recorded once, and leaves every earlier valuation as it was', async () => {
    const { id } = await approved();
    const first = await provider.remit(id, 100_000);
    const second = await provider.remit(id, 50_000);
    const before = await valued(id);
    await Promise.all(
      [1, 2, 3].map(() => provider.withdraw(id, { remittanceId: first, allocated: 100_000 })),
    );
    expect((await valued(id)).amounts).toEqual([50_000, 0, APPROVED]);
    expect((await provider.value(id, before.at)).text).toBe(before.text);
    const { remittances } = (await provider.ask('getClaimLinks', id)).body;
    expect(remittances).toEqual([{ id: second, amount: 50_000 }]);
    expect((await valued(id)).text).toContain(`["${first}","${first.replace('rem_', 'adv_')}"]`);
  });

  test('of a recovery raises what is remitted to what it was, also on a reversed claim', async () => {
    const { id, remittanceId } = await paid();
    await provider.ask('reverseClaim', id, { reason_code: 'aa' });
    const recoveryId = newId('rcv_');
    await provider.recover(id, 40_000, { recoveryId });
    await provider.withdraw(id, { remittanceId: newId('rem_'), recovered: 40_000, recoveryId });
    expect(await provider.read(id)).toMatchObject({
      status: 'reversed',
      amount: { remitted: APPROVED, settled: APPROVED },
    });
    const { remittances } = (await provider.ask('getClaimLinks', id)).body;
    expect(remittances).toEqual([{ id: remittanceId, amount: APPROVED }]);
  });

  test('that arrives before what it withdraws waits for it', async () => {
    const { id } = await approved();
    const withdraw = () => provider.withdraw(id, { remittanceId: newId('rem_'), allocated: 60 });
    await expect(withdraw()).rejects.toThrow('not recorded as remitted yet');
    await provider.remit(id, 60);
    await withdraw();
    expect((await provider.read(id)).amount).toMatchObject({ remitted: 0 });
  });
});

test('remittances, recoveries and withdrawals are recorded in the order of the ledger, whatever the order of their delivery is', async () => {
  const { id } = await approved();
  const [first, second, third] = [newId('rem_'), newId('rem_'), newId('rem_')];
  const [recoveryId, withdrawal] = [newId('rcv_'), `${second}:withdrawal`];
  // Enough is remitted for each of them before its predecessor is recorded.
  const changes = [
    () => provider.remit(id, 60_000, { remittanceId: first }),
    () => provider.remit(id, 40_000, { remittanceId: second, after: first }),
    () => provider.recover(id, 10_000, { recoveryId, after: second }),
    () => provider.withdraw(id, { remittanceId: second, allocated: 40_000 }, recoveryId),
    () => provider.remit(id, 5_000, { remittanceId: third, after: withdrawal }),
  ];
  for (const [index, change] of changes.entries()) {
    for (const early of changes.slice(index + 1)) await expect(early()).rejects.toThrow('comes before');
    await change();
    await change();
  }
  expect((await provider.read(id)).amount.remitted).toBe(55_000);
});
