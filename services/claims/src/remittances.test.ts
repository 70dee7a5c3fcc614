/**
 * Remittances and settlements that payments reports are recorded once, on all of their claims or on none, whatever the status of the claims
 * is.
 */
import type { Claim } from '@carecover/contract';
import { newId } from '@carecover/domain';
import { Provider } from './testing/provider';
import { startTestClaims, type TestClaims } from './testing/test-claims';

let claims: TestClaims;
let provider: Provider;
beforeAll(async () => {
  claims = await startTestClaims();
  provider = new Provider(claims);
});
afterAll(() => claims.stop());

interface FactRow {
  claim_id: string;
  type: string;
  recorded_at: Date;
  effective_at: Date;
  reason_code: string | null;
  evidence_references: string[];
}

async function facts(...claimIds: string[]): Promise<FactRow[]> {
  return [
    ...(await claims.sql<
      FactRow[]
    >`select * from facts where claim_id = any(${claimIds}) order by claim_id, sequence`),
  ];
}

async function approved(): Promise<Claim> {
  return provider.adjudicate((await provider.submitted()).id, 100_000, 50_000);
}

function allocation(claimId: string, amount: number, adjudicationVersion = 1) {
  return { claimId, amount, reasonCode: 'fee_schedule', adjudicationVersion, after: null };
}

const RECEIVED = '2026-03-15T00:00:00.000Z';

test('a remittance is recorded on all its claims at one moment, and a repeat records nothing', async () => {
  const [one, two] = [await approved(), await approved()];
  const input = {
    tenant: provider.tenant,
    remittanceId: newId('rem_'),
    receivedAt: RECEIVED,
    allocations: [allocation(two.id, 10), { ...allocation(one.id, 20), reasonCode: null }],
  };
  await Promise.all([1, 2, 3].map(() => claims.activities.recordRemittance(input)));
  const recorded = (await facts(one.id, two.id)).filter((fact) => fact.type === 'remittance_recorded');
  expect(recorded).toHaveLength(2);
  expect(new Set(recorded.map((fact) => fact.recorded_at.getTime())).size).toBe(1);
  for (const fact of recorded) {
    expect(fact.effective_at.toISOString()).toBe(RECEIVED);
    expect(fact.evidence_references).toEqual([input.remittanceId]);
  }
  expect(recorded.map((fact) => fact.reason_code).sort()).toEqual(['fee_schedule', null]);
  expect((await provider.read(one.id)).amount).toMatchObject({ remitted: 20, settled: null });
  expect((await provider.read(two.id)).amount).toMatchObject({ remitted: 10, settled: null });
});

test('an adjudication that is not committed here yet keeps the whole record waiting', async () => {
  const [one, two] = [await approved(), await approved()];
  const input = {
    tenant: provider.tenant,
    remittanceId: newId('rem_'),
    receivedAt: RECEIVED,
    allocations: [allocation(one.id, 10), allocation(two.id, 20, 2)],
  };
  await expect(claims.activities.recordRemittance(input)).rejects.toThrow(/not committed yet/);
  expect((await provider.read(one.id)).amount.remitted).toBeNull();
  await provider.adjudicate(two.id, 100_000, 0);
  await claims.activities.recordRemittance(input);
  expect((await provider.read(one.id)).amount.remitted).toBe(10);
});

test.each(['submitted', 'queried', 'denied', 'reversed', 'cancelled'])(
  'what moved is recorded on a claim that is %s, which stays so',
  async (status) => {
    const { id } = await provider.submitted();
    if (status === 'queried') await provider.query(id);
    if (status === 'denied') await provider.adjudicate(id, 0, 0);
    if (status === 'cancelled') await provider.ask('cancelClaim', id, { reason_code: 'aa' });
    if (status === 'reversed') {
      await provider.adjudicate(id, 100_000, 0);
      await provider.ask('reverseClaim', id, { reason_code: 'aa' });
    }
    await provider.remit(id, 40, { adjudicationVersion: 0 });
    await provider.settle(id, 40, { reconciledAt: '2026-03-17T00:00:00.000Z' });
    expect(await provider.read(id)).toMatchObject({ status, amount: { remitted: 40, settled: 40 } });
  },
);

test('a settlement names the observation, a reconciliation the remittance, each with its own time, at one moment', async () => {
  const { id } = await approved();
  const remittanceId = await provider.remit(id, 150_000);
  const settlementId = await provider.settle(id, 150_000, {
    remittanceId,
    observedAt: '2026-03-16T14:00:00.000Z',
    reconciledAt: '2026-03-17T10:00:00.000Z',
  });
  const [settled, reconciled] = (await facts(id)).slice(-2);
  expect(settled).toMatchObject({ type: 'settled', evidence_references: [settlementId], reason_code: null });
  expect(reconciled).toMatchObject({ type: 'reconciled', evidence_references: [remittanceId] });
  expect(settled?.effective_at.toISOString()).toBe('2026-03-16T14:00:00.000Z');
  expect(reconciled?.effective_at.toISOString()).toBe('2026-03-17T10:00:00.000Z');
  expect(settled?.recorded_at).toEqual(reconciled?.recorded_at);
});

test('the reversal of a settlement takes effect when it is recorded; settled again, the claim has a second event', async () => {
  const { id } = await approved();
  const settlementId = await provider.settle(id, 150_000);
  await provider.settle(id, -150_000, { settlementId, observedAt: '2026-03-16T00:00:00.000Z' });
  const back = (await facts(id)).at(-1);
  expect(back?.effective_at).toEqual(back?.recorded_at);
  expect(await provider.read(id)).toMatchObject({ status: 'approved', amount: { settled: 0 } });
  await provider.settle(id, -150_000, { settlementId });
  expect((await provider.read(id)).amount.settled).toBe(0);
  await provider.settle(id, 150_000);
  const events = await claims.sql<{ type: string; payload: string }[]>`
    select type, payload from outbox where resource_id = ${id} order by seq`;
  expect(events.filter((row) => row.type === 'claim.settled')).toHaveLength(2);
  const versions = events.map((row) => JSON.parse(row.payload).resource_version);
  expect(versions).toEqual(versions.map((_, index) => index + 1));
});

describe('money of two remittances on one claim is recorded in the ledger’s order', () => {
  async function settledEvents(id: string) {
    const events =
      await claims.sql`select 1 from outbox where resource_id = ${id} and type = 'claim.settled'`;
    return events.length;
  }

  test('recorded in the wrong order, a claim that was never fully paid is never settled', async () => {
    const { id } = await approved();
    const first = await provider.settle(id, 90_000);
    const takenBack = { settlementId: first, after: first };
    const next = { settlementId: newId('stl_'), after: `${first}:reversal` };
    await expect(provider.settle(id, 60_000, next)).rejects.toThrow(`${first}:reversal comes before`);
    expect(await provider.read(id)).toMatchObject({ status: 'approved', amount: { settled: 90_000 } });
    await provider.settle(id, -90_000, takenBack);
    await provider.settle(id, 60_000, next);
    await provider.settle(id, 60_000, next);
    expect(await provider.read(id)).toMatchObject({ status: 'approved', amount: { settled: 60_000 } });
    expect(await settledEvents(id)).toBe(0);
  });

  test('recorded in the wrong order, a claim that was fully paid for a time has a settled event', async () => {
    const { id } = await approved();
    const first = await provider.settle(id, 90_000);
    const full = { settlementId: newId('stl_'), after: first };
    const takenBack = { settlementId: first, after: full.settlementId };
    await expect(provider.settle(id, -90_000, takenBack)).rejects.toThrow(
      `${full.settlementId} comes before`,
    );
    await provider.settle(id, 60_000, full);
    expect((await provider.read(id)).status).toBe('settled');
    await provider.settle(id, -90_000, takenBack);
    expect(await provider.read(id)).toMatchObject({ status: 'approved', amount: { settled: 60_000 } });
    expect(await settledEvents(id)).toBe(1);
  });

  test('a record that is too early on one claim is recorded on none; a reversed claim keeps the order', async () => {
    const [one, two] = [await approved(), await approved()];
    const first = await provider.settle(two.id, 10);
    await provider.ask('reverseClaim', two.id, { reason_code: 'aa' });
    const early = {
      tenant: provider.tenant,
      remittanceId: newId('rem_'),
      causeId: newId('stl_'),
      observedAt: RECEIVED,
      amounts: [
        { claimId: one.id, amount: 5, after: null },
        { claimId: two.id, amount: 5, after: `${first}:reversal` },
      ],
      reconciled: null,
    };
    const record = () => claims.activities.recordSettlement({ ...early, settlementId: early.causeId });
    await expect(record()).rejects.toThrow(`not recorded on ${two.id} yet`);
    expect((await provider.read(one.id)).amount.settled).toBeNull();
    await provider.settle(two.id, -10, { settlementId: first, after: first });
    await record();
    expect((await provider.read(one.id)).amount.settled).toBe(5);
    expect(await provider.read(two.id)).toMatchObject({ status: 'reversed', amount: { settled: 5 } });
  });
});

test('remittances over the same claims in opposite orders never wait for each other', async () => {
  const ids = await Promise.all([approved(), approved(), approved()]).then((list) =>
    list.map(({ id }) => id),
  );
  await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      claims.activities.recordRemittance({
        tenant: provider.tenant,
        remittanceId: newId('rem_'),
        receivedAt: RECEIVED,
        allocations: (index % 2 === 0 ? ids : [...ids].reverse()).map((id) => allocation(id, 1)),
      }),
    ),
  );
  for (const id of ids) expect((await provider.read(id)).amount.remitted).toBe(12);
});

test('payments learns which claims exist, of its own project alone', async () => {
  const { id } = await approved();
  const ask = (tenant: string) => claims.activities.knownClaims({ tenant, claimIds: [id, newId('clm_')] });
  expect(await ask(provider.tenant)).toEqual([id]);
  expect(await ask(newId('prj_'))).toEqual([]);
});

test('the links of a claim have its references and the amounts of its remittances and settlements', async () => {
  const session = claims.others.deliveredSession();
  const input = provider.submission({ session_id: session.sessionId });
  const { id } = (await provider.submit(input)).body as Claim;
  const links = async () => (await provider.ask('getClaimLinks', id)).body;
  const references = {
    object: 'claim_links',
    claim_id: id,
    session_id: session.sessionId,
    booking_id: session.bookingId,
    session_recorded: null,
    practitioner_id: session.practitionerId,
    eligibility_check_id: input.eligibility_check_id,
    preauthorization_id: input.preauthorization_id,
    currency: 'KES',
  };
  expect(await links()).toEqual({ ...references, remittances: [], settlements: [] });
  await provider.adjudicate(id, 100_000, 50_000);
  const remittances = [await provider.remit(id, 100_000), await provider.remit(id, 50_000)];
  const first = await provider.settle(id, 100_000);
  const second = await provider.settle(id, 20_000, { after: first });
  await provider.settle(id, -100_000, { settlementId: first, after: second });
  expect(await links()).toEqual({
    ...references,
    remittances: [
      { id: remittances[0], amount: 100_000 },
      { id: remittances[1], amount: 50_000 },
    ],
    settlements: [
      { id: first, amount: 0 },
      { id: second, amount: 20_000 },
    ],
  });
  expect((await provider.read(id)).amount).toMatchObject({ remitted: 150_000, settled: 20_000 });
});

test('the links of a claim show by whom and when its session was recorded outside the calendar', async () => {
  const recorded = { by: 'key_clinic of project prj_clinic', at: '2026-04-02T08:00:00.000Z' };
  const { sessionId } = claims.others.deliveredSession({ recorded });
  const { id } = (await provider.submit(provider.submission({ session_id: sessionId }))).body as Claim;
  expect((await provider.ask('getClaimLinks', id)).body).toMatchObject({ session_recorded: recorded });
});

test('the links of another project’s claim, and of one outside a narrowed token, are those of an unknown claim', async () => {
  const { id } = await provider.submitted();
  const other = new Provider(claims);
  const [foreign, unknown] = [
    await other.ask('getClaimLinks', id),
    await other.ask('getClaimLinks', 'clm_unknown'),
  ];
  expect(foreign.status).toBe(404);
  expect(foreign.text).toBe(unknown.text);
  const read = (resourceIds: string[]) =>
    claims.ask(provider.tenant, 'getClaimLinks', { params: { claim_id: id }, resourceIds });
  expect((await read(['clm_other'])).text).toBe(unknown.text);
  expect((await read([id])).status).toBe(200);
});
