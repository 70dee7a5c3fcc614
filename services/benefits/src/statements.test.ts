/** The number of SQL statements that each operation executes, with those that begin and end transactions. */
import { newId } from '@carecover/platform';
import { type CountingSql, countStatements } from '@carecover/platform/testing';
import { claimSteps } from './activities';
import { addBooking, check, observation, recordOf } from './testing/care-path';
import { DAY_MS } from './testing/days';
import { TestBenefits } from './testing/test-benefits';

let benefits: TestBenefits;
let counting: CountingSql;

beforeAll(async () => {
  benefits = await TestBenefits.open();
  counting = countStatements(benefits.database.url('benefits'));
  benefits.useConnection(counting.sql);
});
afterAll(async () => {
  await counting.sql.end();
  await benefits.close();
});

async function counted<T>(work: () => Promise<T>): Promise<{ statements: number; result: T }> {
  const results: T[] = [];
  const { statements } = await counting.costOf(async () => results.push(await work()));
  const [result] = results;
  if (result === undefined) throw new Error('the work has no result');
  return { statements, result };
}

test('an observation takes 11 statements, a repetition 7, and a batch 12 whatever its size', async () => {
  const now = await benefits.now();
  const input = observation(now);
  expect((await counted(() => benefits.call('createCoverage', input))).statements).toBe(11);
  expect((await counted(() => benefits.call('createCoverage', input))).statements).toBe(7);
  for (const size of [1, 30]) {
    const batch = {
      contract_version: '2026-08-01' as const,
      batch_reference: newId('batch-'),
      source_contract_reference: 'contract/2027',
      batch_version: '1',
      generated_at: new Date(now - 1_000).toISOString(),
      records: Array.from({ length: size }, () => recordOf(observation(now))),
    };
    const headers = { 'x-artifact-reference': 'sftp/in/batch.json' };
    const sent = await counted(() => benefits.call('createCoverageBatch', batch, { headers }));
    expect(sent.statements).toBe(12);
  }
});

test('a check takes 10 statements, a creation 12, and the use by a claim without a pre-authorization 7, and 10 for the first of a payer', async () => {
  const now = await benefits.now();
  const input = observation(now, { authorization_required: false });
  await benefits.call('createCoverage', input);
  const startsAtMs = now + 20 * DAY_MS;
  const checked = await counted(() => check(benefits, input.member_reference, startsAtMs));
  expect(checked.statements).toBe(10);
  const booking = addBooking(benefits, startsAtMs);
  const request = { eligibility_check_id: checked.result.id, booking_id: booking.bookingId };
  expect((await counted(() => benefits.call('createPreauthorization', request))).statements).toBe(12);
  const { useForClaim } = claimSteps({ sql: counting.sql, notifyReviews: () => undefined });
  const submission = {
    tenant: benefits.caller.tenant,
    caller: benefits.caller,
    claimId: newId('clm_'),
    eligibilityCheckId: checked.result.id,
    preauthorizationId: null,
    session: { ...booking, practitionerId: 'prc_1', status: 'delivered' as const },
    serviceCodes: ['psy.individual.50'],
  };
  expect((await counted(() => useForClaim(submission))).statements).toBe(10);
  const second = { ...submission, claimId: newId('clm_') };
  expect((await counted(() => useForClaim(second))).statements).toBe(7);
});
