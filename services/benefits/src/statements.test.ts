/** The number of SQL statements that each operation executes, with those that begin and end transactions. */
import type { PreauthorizationDecisionInput } from '@carecover/contract';
import { newId } from '@carecover/domain';
import { type CountingSql, countStatements, type StatementCost } from '@carecover/testing/services';
import { callsOfClaims, preauthorizationSteps } from './activities';
import { addBooking, check, type Opened, observation, open, recordOf } from './testing/care-path';
import { DAY_MS } from './testing/days';
import { approval, denial } from './testing/decisions';
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

async function counted<T>(work: () => Promise<T>): Promise<{ cost: StatementCost; result: T }> {
  const results: T[] = [];
  const cost = await counting.costOf(async () => results.push(await work()));
  const [result] = results;
  if (result === undefined) throw new Error('the work has no result');
  return { cost, result };
}

test('an observation takes 10 statements, a repetition 7, and a batch 10 whatever its size', async () => {
  const now = await benefits.now();
  const input = observation(now);
  const record = () => counted(() => benefits.call('createCoverage', input));
  expect((await record()).cost).toEqual({ statements: 10, roundTrips: 9 });
  expect((await record()).cost).toEqual({ statements: 7, roundTrips: 6 });
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
    expect(sent.cost).toEqual({ statements: 10, roundTrips: 9 });
  }
});

test('a check takes 8 statements, a creation 10, and the use by a claim without a pre-authorization 7, and 10 for the first of a payer', async () => {
  const now = await benefits.now();
  const input = observation(now, { authorization_required: false });
  await benefits.call('createCoverage', input);
  const startsAtMs = now + 20 * DAY_MS;
  const checked = await counted(() => check(benefits, input.member_reference, startsAtMs));
  expect(checked.cost).toEqual({ statements: 8, roundTrips: 5 });
  const booking = addBooking(benefits, startsAtMs);
  const request = { eligibility_check_id: checked.result.id, booking_id: booking.bookingId };
  const created = await counted(() => benefits.call('createPreauthorization', request));
  expect(created.cost).toEqual({ statements: 10, roundTrips: 5 });
  const { useForClaim } = callsOfClaims({ sql: counting.sql, notifySignals: () => undefined });
  const submission = {
    tenant: benefits.caller.tenant,
    caller: benefits.caller,
    claimId: newId('clm_'),
    eligibilityCheckId: checked.result.id,
    preauthorizationId: null,
    session: { ...booking, practitionerId: 'prc_1', status: 'delivered' as const, recorded: null },
    serviceCodes: ['psy.individual.50'],
  };
  expect((await counted(() => useForClaim(submission))).cost.statements).toBe(10);
  const second = { ...submission, claimId: newId('clm_') };
  expect((await counted(() => useForClaim(second))).cost.statements).toBe(7);
});

test('the statements of decisions, of the ends of pre-authorizations and of a review', async () => {
  const now = await benefits.now();
  const [approved, denied, cancelled, expired] = [
    await open(benefits),
    await open(benefits),
    await open(benefits),
    await open(benefits),
  ];
  const at = ({ preauthorization }: Opened) => ({ params: { preauthorization_id: preauthorization.id } });
  const decide = (one: Opened, decision: PreauthorizationDecisionInput, key = newId('key_')) =>
    counted(() => benefits.call('decidePreauthorization', decision, { ...at(one), key }));
  const key = newId('key_');
  const { tenant, environment } = benefits.caller;
  const { id: resourceId } = approved.preauthorization;
  const { review } = preauthorizationSteps({ ...benefits.deps, sql: counting.sql });
  const costs = {
    approval: (await decide(approved, approval(now), key)).cost,
    repetition: (await decide(approved, approval(now), key)).cost,
    denial: (await decide(denied, denial)).cost,
    cancellation: (
      await counted(() =>
        benefits.call('cancelPreauthorization', { reason_code: 'plans_changed' }, at(cancelled)),
      )
    ).cost,
    expiry: (await counted(() => benefits.call('expirePreauthorization', undefined, at(expired)))).cost,
    review: (await counted(() => review({ resourceId, tenant, environment }))).cost,
  };
  expect(costs).toEqual({
    approval: { statements: 24, roundTrips: 16 },
    repetition: { statements: 2, roundTrips: 2 },
    denial: { statements: 8, roundTrips: 6 },
    cancellation: { statements: 9, roundTrips: 7 },
    expiry: { statements: 9, roundTrips: 7 },
    review: { statements: 5, roundTrips: 4 },
  });
});
