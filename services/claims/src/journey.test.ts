/** A claim from submission to settlement through the API: the response, facts and events of each request. */
import { Provider } from './testing/provider';
import { startTestClaims, type TestClaims } from './testing/test-claims';

let claims: TestClaims;
beforeAll(async () => {
  claims = await startTestClaims();
});
afterAll(() => claims.stop());

test('a claim goes from its submission to its settlement', async () => {
  const provider = new Provider(claims);
  const submitted = await provider.submitted();
  expect(submitted).toMatchObject({
    status: 'submitted',
    submission_version: 1,
    amount: { currency: 'KES', billed: 150_000, approved: null, remitted: null, settled: null },
    adjudication: null,
  });
  const queried = await provider.query(submitted.id);
  expect(queried).toMatchObject({ status: 'queried', information_requests: [{ status: 'open' }] });
  const resubmitted = await provider.answer(queried);
  expect(resubmitted).toMatchObject({
    status: 'submitted',
    submission_version: 2,
    information_requests: [{ status: 'fulfilled' }],
  });
  const approved = await provider.adjudicate(submitted.id, 80_000, 50_000);
  expect(approved).toMatchObject({
    status: 'partially_approved',
    amount: { approved: 130_000 },
    adjudication: { version: 1, decision: 'partially_approved' },
  });
  const remittanceId = await provider.remit(submitted.id, 130_000);
  await provider.settle(submitted.id, 100_000, { remittanceId });
  expect(await provider.read(submitted.id)).toMatchObject({
    status: 'partially_approved',
    amount: { remitted: 130_000, settled: 100_000 },
  });
  const settlementId = await provider.settle(submitted.id, 30_000, {
    remittanceId,
    reconciledAt: '2026-03-17T10:00:00.000Z',
  });
  expect(await provider.read(submitted.id)).toMatchObject({
    status: 'settled',
    amount: { settled: 130_000 },
  });
  await provider.settle(submitted.id, -30_000, { settlementId, remittanceId });
  expect(await provider.read(submitted.id)).toMatchObject({ status: 'partially_approved' });
  const events =
    await claims.sql`select type, payload from outbox where resource_id = ${submitted.id} order by seq`;
  expect(events.map((event) => event.type)).toEqual([
    'claim.submitted',
    'claim.information_requested',
    'claim.resubmitted',
    'claim.partially_approved',
    'claim.settled',
  ]);
  const value = await provider.value(submitted.id, Date.now());
  expect(value.status).toBe(200);
});
