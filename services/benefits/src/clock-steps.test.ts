import type { CoverageBatchInput, EligibilityCheck } from '@carecover/contract';
import { observation, recordOf, shelve } from './testing/care-path';
import { DAY_MS } from './testing/days';
import { approval } from './testing/decisions';
import { directEngine } from './testing/direct-engine';
import { newCaller, refusalOf, TestBenefits } from './testing/test-benefits';

/** How far the clock goes back. */
const STEP_MS = 60 * 60 * 1000;

let benefits: TestBenefits;

beforeAll(async () => {
  benefits = await TestBenefits.open();
  benefits.useEngine(directEngine(benefits.sql));
});
beforeEach(() => {
  benefits.caller = newCaller();
});
afterEach(() => benefits.database.setClockOffset(0));
afterAll(() => benefits.close());

const stepBack = () => benefits.database.setClockOffset(-STEP_MS);

async function check(member: string, startsAtMs: number): Promise<EligibilityCheck> {
  const { body } = await benefits.call('createEligibilityCheck', {
    member_reference: member,
    service_code: 'psy.individual.50',
    scheduled_at: new Date(startsAtMs).toISOString(),
    amount: 350_000,
    currency: 'KES',
  });
  return body;
}

describe('after the clock stepped back', () => {
  test('a session reserved counts against the observation that was there before it, though observed later', async () => {
    const now = await benefits.now();
    const input = observation(now, { remaining_sessions: 1, observed_at: new Date(now).toISOString() });
    await benefits.call('createCoverage', input);
    const request = async (startsAtMs: number) => {
      const { id } = await check(input.member_reference, startsAtMs);
      const booking_id = shelve(benefits, startsAtMs).bookingId;
      const { body } = await benefits.call('createPreauthorization', {
        eligibility_check_id: id,
        booking_id,
      });
      return { preauthorization_id: body.id };
    };
    const first = await request(now + 100 * DAY_MS);
    const second = await request(now + 101 * DAY_MS);

    await stepBack();
    const decision = approval(await benefits.now());
    const { body: approved } = await benefits.call('decidePreauthorization', decision, { params: first });
    const refusal = await refusalOf(benefits.call('decidePreauthorization', decision, { params: second }));
    expect(refusal.code).toBe('benefit_exhausted');
    expect(await check(input.member_reference, now + 102 * DAY_MS)).toMatchObject({
      status: 'ineligible',
      reason_codes: ['benefit_exhausted'],
      remaining_sessions: 0,
    });
    const decidedAtMs = Date.parse(approved.decision?.decided_at ?? '');
    expect(decidedAtMs).toBeLessThanOrEqual(await benefits.now());
  });

  test('what a payer stated before it is answered again under its key, and anything new from the future refused', async () => {
    const now = await benefits.now();
    const observed_at = new Date(now).toISOString();
    const single = observation(now, { observed_at });
    const batch: CoverageBatchInput = {
      contract_version: '2026-08-01',
      batch_reference: 'batch-1',
      source_contract_reference: 'contract/2027',
      batch_version: '1',
      generated_at: observed_at,
      records: [recordOf(observation(now))],
    };
    const headers = { 'x-artifact-reference': 'sftp/in/batch-1.json' };
    const send = (key: string) => benefits.call('createCoverage', single, { key });
    const sendBatch = (key: string) => benefits.call('createCoverageBatch', batch, { key, headers });
    const [one, all] = [await send('the-first-key'), await sendBatch('the-first-key')];

    await stepBack();
    expect(await send('the-first-key')).toEqual({ status: 200, replayed: true, body: one.body });
    expect(await sendBatch('the-first-key')).toEqual({ status: 200, replayed: true, body: all.body });
    for (const sending of [send, sendBatch]) {
      expect((await refusalOf(sending('another-key'))).code).toBe('validation_failed');
    }

    await benefits.database.setClockOffset(0);
    expect(await send('another-key')).toEqual({ status: 200, replayed: false, body: one.body });
    expect((await sendBatch('another-key')).body).toMatchObject({ recorded: 0, replayed: 1 });
  });
});
