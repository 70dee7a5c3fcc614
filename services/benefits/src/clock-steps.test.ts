import type { CoverageBatchInput } from '@carecover/contract';
import { addBooking, check, observation, recordOf, useBenefits } from './testing/care-path';
import { DAY_MS } from './testing/days';
import { approval } from './testing/decisions';
import { apiErrorOf } from './testing/test-benefits';

/** By how many milliseconds the tests set the database's clock back. */
const STEP_MS = 60 * 60 * 1000;

const suite = useBenefits();

const stepBack = () => suite.benefits.database.setClockOffset(-STEP_MS);

describe('after the clock stepped back', () => {
  test('a reservation counts against the observation that was recorded before it, though its observed_at is later', async () => {
    const now = await suite.benefits.now();
    const input = observation(now, { remaining_sessions: 1, observed_at: new Date(now).toISOString() });
    await suite.benefits.call('createCoverage', input);
    const request = async (startsAtMs: number) => {
      const { id } = await check(suite.benefits, input.member_reference, startsAtMs);
      const booking_id = addBooking(suite.benefits, startsAtMs).bookingId;
      const { body } = await suite.benefits.call('createPreauthorization', {
        eligibility_check_id: id,
        booking_id,
      });
      return { preauthorization_id: body.id };
    };
    const first = await request(now + 100 * DAY_MS);
    const second = await request(now + 101 * DAY_MS);

    await stepBack();
    const decision = approval(await suite.benefits.now());
    const { body: approved } = await suite.benefits.call('decidePreauthorization', decision, {
      params: first,
    });
    const rejection = await apiErrorOf(
      suite.benefits.call('decidePreauthorization', decision, { params: second }),
    );
    expect(rejection.code).toBe('benefit_exhausted');
    expect(await check(suite.benefits, input.member_reference, now + 102 * DAY_MS)).toMatchObject({
      status: 'ineligible',
      reason_codes: ['benefit_exhausted'],
      remaining_sessions: 0,
    });
    const decidedAtMs = Date.parse(approved.decision?.decided_at ?? '');
    expect(decidedAtMs).toBeLessThanOrEqual(await suite.benefits.now());
  });

  test('a statement from before it has its stored response under its key, and a new statement from the future is rejected', async () => {
    const now = await suite.benefits.now();
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
    const send = (key: string) => suite.benefits.call('createCoverage', single, { key });
    const sendBatch = (key: string) => suite.benefits.call('createCoverageBatch', batch, { key, headers });
    const [one, all] = [await send('the-first-key'), await sendBatch('the-first-key')];

    await stepBack();
    expect(await send('the-first-key')).toEqual({ status: 200, replayed: true, body: one.body });
    expect(await sendBatch('the-first-key')).toEqual({ status: 200, replayed: true, body: all.body });
    for (const sending of [send, sendBatch]) {
      expect((await apiErrorOf(sending('another-key'))).code).toBe('validation_failed');
    }

    await suite.benefits.database.setClockOffset(0);
    expect(await send('another-key')).toEqual({ status: 200, replayed: false, body: one.body });
    expect((await sendBatch('another-key')).body).toMatchObject({ recorded: 0, replayed: 1 });
  });
});
