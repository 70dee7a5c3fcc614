import type { Preauthorization } from '@carecover/contract';
import { eventually } from '@carecover/local/testing';
import { newId } from '@carecover/platform';
import { reservedSessionCount } from '../../../services/benefits/src/store/coverages';
import { DAY_MS } from '../../../services/benefits/src/testing/days';
import { approval, denial } from '../../../services/benefits/src/testing/decisions';
import { Life } from '../../../services/benefits/src/testing/life';
import { apiErrorOf } from '../../../services/benefits/src/testing/test-benefits';
import { commitDecision } from '../../../services/benefits/src/use-cases/decide-preauthorization';

let life: Life;
beforeAll(async () => {
  life = await Life.begin();
}, 120_000);
afterEach(async () => {
  life.care.beforeConfirming = async () => undefined;
  await life.terminateAll();
});
afterAll(() => life.close());

describe('a decision', () => {
  test('approval: reserves one session, confirms the booking and has the decision', async () => {
    const { id, booking, preauthorization, observationId } = await life.open();
    const decision = approval(await life.benefits.now(), { approved_amount: 300_000 });
    const body = await life.decide(id, decision);
    expect(body).toMatchObject({
      status: 'approved',
      reason_codes: ['within_policy'],
      amount: { requested: 350_000, approved: 300_000, currency: 'KES' },
      valid_until: decision.valid_until,
      decision: {
        object: 'preauthorization_decision',
        version: 1,
        outcome: 'approved',
        reason_codes: ['within_policy'],
        policy: { reference: 'policy:outpatient', version: '2027.1' },
        authority_reference: life.benefits.caller.authority,
        evidence_references: [
          'referral:8812',
          preauthorization.eligibility_check_id,
          booking.bookingId,
          observationId,
        ],
      },
    });
    expect(await life.read(id)).toEqual(body);
    expect(life.care.confirmed).toContain(booking.bookingId);
    expect(await life.areReleased(id)).toEqual([false]);
    expect(await life.events(id)).toEqual(['requested', 'approved']);
  });

  test('denial: reserves nothing, does not change the booking, and ends the workflow', async () => {
    const { id, booking } = await life.open();
    const body = await life.decide(id, denial);
    expect(body).toMatchObject({
      status: 'denied',
      reason_codes: ['not_medically_necessary'],
      amount: { approved: null },
      valid_until: null,
      decision: { outcome: 'denied' },
    });
    await life.untilEnded(id);
    expect(life.care.confirmed).not.toContain(booking.bookingId);
    expect(await life.reservations(id)).toEqual([]);
    expect(await life.events(id)).toEqual(['requested', 'denied']);
    await life.record(id, 'denied');
  });

  test('repeated: returns the first response, and another decision is rejected', async () => {
    const { id } = await life.open();
    const key = newId('key_');
    const decision = approval(await life.benefits.now());
    const first = await life.decide(id, decision, key);
    expect(await life.decide(id, decision, key)).toEqual(first);
    expect((await apiErrorOf(life.decide(id, denial))).code).toBe('invalid_state');
    expect((await apiErrorOf(life.decide(id, denial, key))).code).toBe('idempotency_conflict');
  });

  test('rejected: is not stored, so the same key can be used for a corrected decision', async () => {
    const { id } = await life.open();
    const key = newId('key_');
    const now = await life.benefits.now();
    const tooMuch = approval(now, { approved_amount: 350_001 });
    expect((await apiErrorOf(life.decide(id, tooMuch, key))).code).toBe('amount_exceeds_request');
    expect((await apiErrorOf(life.decide(id, approval(now, { validForMs: -1 }), key))).code).toBe(
      'valid_until_in_past',
    );
    expect((await life.decide(id, approval(now), key)).status).toBe('approved');
    await life.record(id, 'rejected-then-approved');
  });

  test('without a remaining session: is rejected, and the request stays pending', async () => {
    const { id } = await life.open({
      coverage: { remaining_sessions: 1, external_coverage_reference: 'policy-of-one' },
    });
    const { body: observed } = await life.benefits.call('getCoverage', undefined, {
      params: { coverage_id: (await coverageOf(id)) ?? '' },
    });
    expect(observed.remaining_sessions).toBe(1);
    const second = await life.open({ coverage: await sameCoverage(id) });
    expect((await life.decide(id, approval(await life.benefits.now()))).status).toBe('approved');
    const rejection = await apiErrorOf(life.decide(second.id, approval(await life.benefits.now())));
    expect(rejection.code).toBe('benefit_exhausted');
    expect((await life.read(second.id)).status).toBe('pending');
    await life.cancel(id);
    expect((await life.decide(second.id, approval(await life.benefits.now()))).status).toBe('approved');
  });

  test('rejected by care: releases the session, and the request stays pending', async () => {
    const { id, booking } = await life.open();
    life.care.cancelledBookings.add(booking.bookingId);
    const rejection = await apiErrorOf(life.decide(id, approval(await life.benefits.now())));
    expect(rejection.code).toBe('invalid_state');
    expect((await life.read(id)).status).toBe('pending');
    expect(await life.areReleased(id)).toEqual([true]);
    expect(await life.events(id)).toEqual(['requested']);
    await life.record(id, 'care-rejected');
  });

  test('approval whose valid_until passes during the confirmation: is rejected, and every step is undone', async () => {
    const { id, booking, coverageId } = await life.open();
    let answer: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    life.care.beforeConfirming = () => answered;
    const key = newId('key_');
    const decision = approval(await life.benefits.now(), { validForMs: DAY_MS });
    const deciding = apiErrorOf(life.decide(id, decision, key));
    await eventually('a session is reserved', async () => (await life.reservations(id)).length > 0);
    await life.advanceDatabaseClock(DAY_MS);
    answer();
    expect((await deciding).code).toBe('valid_until_in_past');

    expect((await life.read(id)).status).toBe('pending');
    expect(life.care.confirmed).not.toContain(booking.bookingId);
    expect(life.care.withdrawn).toContain(booking.bookingId);
    expect(await life.areReleased(id)).toEqual([true]);
    expect(await life.events(id)).toEqual(['requested']);
    expect(await life.pendingCommands(id)).toBe(0);
    expect(await remainingOf(coverageId)).toBe(5);
    expect((await apiErrorOf(life.decide(id, decision, key))).code).toBe('valid_until_in_past');
    const corrected = approval(await life.benefits.now());
    expect((await life.decide(id, corrected, key)).status).toBe('approved');
    expect(life.care.confirmed).toContain(booking.bookingId);
    expect(await life.events(id)).toEqual(['requested', 'approved']);
    await life.record(id, 'valid-until-passed');
  });

  test('during a restart of the workers: is executed once', async () => {
    const { id, booking } = await life.open();
    let answer: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    life.care.beforeConfirming = () => answered;
    const key = newId('key_');
    const decision = approval(await life.benefits.now());
    const deciding = life.decide(id, decision, key);
    await eventually('a session is reserved', async () => (await life.reservations(id)).length > 0);
    answer();
    await life.stopWorkers();
    await life.startWorkers();
    const body = await deciding;
    expect(body.status).toBe('approved');
    expect(await life.decide(id, decision, key)).toEqual(body);
    expect(await life.facts(id)).toEqual(['requested', 'approved']);
    expect(life.care.confirmed.filter((each) => each === booking.bookingId)).toHaveLength(1);
    expect(await life.areReleased(id)).toEqual([false]);
  });
});

/** Names of the steps of an approval and of its compensation, in the order in which the workflow executes them. */
const APPROVAL = ['beginDecision', 'confirmBooking', 'commitDecision'] as const;
const COMPENSATION = ['withdrawConfirmation', 'abandonDecision'] as const;

describe('a decision whose run is lost', () => {
  /** Sends a decision twice under one idempotency key. The response to the first request is 503. Returns the second response. */
  async function decideTwice(id: string, decision: ReturnType<typeof approval>): Promise<Preauthorization> {
    const key = newId('key_');
    expect((await apiErrorOf(life.decide(id, decision, key))).code).toBe('service_unavailable');
    return life.decide(id, decision, key);
  }

  test.each(APPROVAL)('after %s: is approved once', async (step) => {
    const { id, booking, coverageId } = await life.open();
    life.loseRunAfter(step);
    expect((await decideTwice(id, approval(await life.benefits.now()))).status).toBe('approved');
    expect(await life.facts(id)).toEqual(['requested', 'approved']);
    expect(life.care.confirmed.filter((each) => each === booking.bookingId)).toHaveLength(1);
    expect([await life.areReleased(id), await remainingOf(coverageId)]).toEqual([[false], 4]);
  });

  test.each([...APPROVAL, ...COMPENSATION])(
    'after %s, an approval whose valid_until passes while care confirms is rejected for that',
    async (step) => {
      const { id, booking, coverageId } = await life.open();
      const decision = approval(await life.benefits.now(), { validForMs: DAY_MS });
      life.care.beforeConfirming = async () => {
        life.care.beforeConfirming = async () => undefined;
        await life.advanceDatabaseClock(DAY_MS);
      };
      life.loseRunAfter(step);
      expect((await apiErrorOf(decideTwice(id, decision))).code).toBe('valid_until_in_past');
      await expectUnchanged(id, booking.bookingId, coverageId);
    },
  );

  test.each(['beginDecision', 'confirmBooking', ...COMPENSATION] as const)(
    'after %s, an approval whose booking care rejects is rejected for that',
    async (step) => {
      const { id, booking, coverageId } = await life.open();
      life.care.cancelledBookings.add(booking.bookingId);
      life.loseRunAfter(step);
      const decision = approval(await life.benefits.now());
      expect((await apiErrorOf(decideTwice(id, decision))).code).toBe('invalid_state');
      await expectUnchanged(id, booking.bookingId, coverageId);
    },
  );
});

test('an approval that another attempt recorded is answered as recorded, although care rejects its repetition', async () => {
  const { id, booking } = await life.open();
  const key = newId('key_');
  const decision = approval(await life.benefits.now());
  life.care.beforeConfirming = async () => {
    life.care.beforeConfirming = async () => undefined;
    const [row] = await life.benefits.sql<{ command_id: string }[]>`
      select deciding_command_id as command_id from preauthorizations where id = ${id}`;
    const { tenant } = life.benefits.caller;
    await commitDecision(life.benefits.sql, { tenant, id, commandId: row?.command_id ?? '' });
    life.care.cancelledBookings.add(booking.bookingId);
  };
  const body = await life.decide(id, decision, key);
  expect(body.status).toBe('approved');
  expect(await life.decide(id, decision, key)).toEqual(body);
});

/** Checks that a rejected approval left the pre-authorization, the booking and the benefit unchanged, and no pending command. */
async function expectUnchanged(id: string, bookingId: string, coverageId: string): Promise<void> {
  expect((await life.read(id)).status).toBe('pending');
  expect(life.care.confirmed).not.toContain(bookingId);
  expect(await life.facts(id)).toEqual(['requested']);
  expect([await remainingOf(coverageId), await life.pendingCommands(id)]).toEqual([5, 0]);
}

/** Returns a coverage's remaining sessions, as an eligibility check counts them. */
async function remainingOf(coverageId: string): Promise<number | undefined> {
  const [row] = await life.benefits.sql<{ remaining: number }[]>`
    select o.remaining_sessions - ${reservedSessionCount(life.benefits.sql)} as remaining
    from coverages c join coverage_observations o on o.id = c.snapshot_observation_id where c.id = ${coverageId}`;
  return row?.remaining;
}

async function coverageOf(id: string): Promise<string | undefined> {
  const [row] = await life.benefits.sql<{ coverage_id: string }[]>`
    select coverage_id from preauthorizations where id = ${id}`;
  return row?.coverage_id;
}

/** Returns options that create another pre-authorization with the member and the coverage of the pre-authorization `id`. */
async function sameCoverage(id: string) {
  const [row] = await life.benefits.sql<{ reference: string }[]>`
    select m.reference from preauthorizations p join coverages c on c.id = p.coverage_id
    join members m on m.id = c.member_id where p.id = ${id}`;
  return {
    remaining_sessions: 1,
    external_coverage_reference: 'policy-of-one',
    member_reference: row?.reference ?? '',
    source_version: 'second',
  };
}
