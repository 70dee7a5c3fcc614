import type { Preauthorization } from '@carecover/contract';
import { newId } from '@carecover/platform';
import type { SessionFacts } from '@carecover/workflow-claim';
import { preauthorizationWorkflow } from '@carecover/workflow-preauthorization/definition';
import type { Opened } from '../../../services/benefits/src/testing/care-path';
import { DAY_MS } from '../../../services/benefits/src/testing/days';
import { approval } from '../../../services/benefits/src/testing/decisions';
import { Life } from '../../../services/benefits/src/testing/life';
import { apiErrorOf } from '../../../services/benefits/src/testing/test-benefits';

let life: Life;
beforeAll(async () => {
  life = await Life.begin();
}, 120_000);
afterEach(() => life.terminateAll());
afterAll(() => life.close());

function claimOf({ booking, preauthorization }: Opened, claimId: string) {
  const session: SessionFacts = {
    sessionId: booking.sessionId,
    bookingId: booking.bookingId,
    practitionerId: 'prc_1',
    startsAt: booking.startsAt,
    endsAt: booking.endsAt,
    status: 'delivered',
    paymentSource: 'covered',
  };
  return {
    tenant: life.benefits.caller.tenant,
    caller: life.benefits.caller,
    claimId,
    eligibilityCheckId: preauthorization.eligibility_check_id,
    preauthorizationId: preauthorization.id,
    session,
    serviceCodes: ['psy.individual.50'],
  };
}

const deadlineOf = ({ created_at }: Preauthorization) => Date.parse(created_at) + 14 * DAY_MS;

describe('a pending pre-authorization', () => {
  test('expires once after 14 days, and its workflow ends', async () => {
    const { id } = await life.open({ sessionInMs: 100 * DAY_MS });
    await life.advance(14 * DAY_MS - 60_000);
    expect((await life.read(id)).status).toBe('pending');
    await life.advance(60_000);
    await life.untilEnded(id);
    expect(await life.read(id)).toMatchObject({
      status: 'expired',
      reason_codes: [],
      decision: null,
      valid_until: null,
    });
    expect(await life.facts(id)).toEqual(['requested', 'expired']);
    expect(await life.events(id)).toEqual(['requested', 'expired']);
    expect(await life.reservations(id)).toEqual([]);
    await life.record(id, 'undecided-for-14-days');
  });

  test('expires at the start of a session within 14 days', async () => {
    const { id } = await life.open({ sessionInMs: 3 * DAY_MS });
    await life.advance(3 * DAY_MS - 60_000);
    expect((await life.read(id)).status).toBe('pending');
    await life.advance(60_000);
    await life.untilEnded(id);
    expect((await life.read(id)).status).toBe('expired');
  });

  test('can be decided one second before its deadline', async () => {
    const { id, preauthorization } = await life.open();
    const decision = approval((await life.benefits.now()) + 14 * DAY_MS);
    const decided = await life.withStoppedClock(deadlineOf(preauthorization) - 1_000, () =>
      life.decide(id, decision),
    );
    expect(decided.status).toBe('approved');
    await life.record(id, 'decided-just-in-time');
  });

  test('is expired one second after its deadline, even if the timer is late, and a decision is rejected', async () => {
    const { id, preauthorization } = await life.open();
    const decision = approval((await life.benefits.now()) + 14 * DAY_MS);
    const rejection = await life.withStoppedClock(deadlineOf(preauthorization) + 1_000, () =>
      apiErrorOf(life.decide(id, decision)),
    );
    expect(rejection.code).toBe('invalid_state');
    expect((await life.read(id)).status).toBe('expired');
    expect(await life.events(id)).toEqual(['requested', 'expired']);
    await life.untilEnded(id);
    await life.record(id, 'decided-too-late');
    await life.temporal.sleep(14 * DAY_MS);
  });
});

describe('an approved pre-authorization', () => {
  test('expires unused after 90 days and releases its session', async () => {
    const { id } = await life.approved();
    await life.advance(90 * DAY_MS - 60_000);
    expect((await life.read(id)).status).toBe('approved');
    expect(await life.areReleased(id)).toEqual([false]);
    await life.advance(60_000);
    await life.untilEnded(id);
    expect(await life.read(id)).toMatchObject({ status: 'expired', amount: { approved: 350_000 } });
    expect(await life.areReleased(id)).toEqual([true]);
    expect(await life.events(id)).toEqual(['requested', 'approved', 'expired']);
    await life.record(id, 'approved-and-unused');
  });

  test('does not expire while a claim uses it, its workflow ends, and a release after valid_until expires it immediately', async () => {
    const one = await life.approved();
    const claimId = newId('clm_');
    await life.activities.useForClaim(claimOf(one, claimId));
    // The Temporal signal that follows the use ends the run, long before the timer would fire.
    await life.untilEnded(one.id);
    await life.record(one.id, 'approved-and-used');
    await life.advance(91 * DAY_MS);
    expect((await life.read(one.id)).status).toBe('approved');
    expect((await apiErrorOf(life.cancel(one.id))).code).toBe('invalid_state');
    await life.untilEnded(one.id);
    await life.activities.releaseFromClaim({ tenant: life.benefits.caller.tenant, claimId });
    expect((await life.read(one.id)).status).toBe('expired');
    expect(await life.areReleased(one.id)).toEqual([true]);
    expect(await life.facts(one.id)).toEqual(['requested', 'approved', 'used', 'released', 'expired']);
    expect(await life.events(one.id)).toEqual(['requested', 'approved', 'expired']);
    await life.untilEnded(one.id);
  });

  test('can be used again after a release before valid_until, and expires at valid_until', async () => {
    const one = await life.approved();
    const claimId = newId('clm_');
    await life.activities.useForClaim(claimOf(one, claimId));
    await life.untilEnded(one.id);
    await life.activities.releaseFromClaim({ tenant: life.benefits.caller.tenant, claimId });
    // The test starts the workflow again, as the sweep for missing workflows does.
    const { tenant, environment } = life.benefits.caller;
    await life.engine.ensureRunning(preauthorizationWorkflow, { id: one.id, tenant, environment });
    await life.untilIdle(one.id);
    await life.advance(90 * DAY_MS);
    await life.untilEnded(one.id);
    expect((await life.read(one.id)).status).toBe('expired');
    await life.record(one.id, 'released-and-unused');
  });

  test('waits for a very late deadline with a short history', async () => {
    const { id } = await life.open({
      sessionInMs: 1_000 * DAY_MS,
      coverage: { valid_until: '9999-12-31T00:00:00Z' },
    });
    const end = '9999-12-31T23:59:59.999Z';
    await life.decide(id, { ...approval(await life.benefits.now()), valid_until: end });
    await life.advance(366 * DAY_MS);
    expect(await life.read(id)).toMatchObject({ status: 'approved', valid_until: end });
    const { historyLength } = await life.client.workflow.getHandle(id).describe();
    expect(historyLength).toBeLessThan(60);
  });
});

describe('a cancellation', () => {
  test('on day 3 ends a pending pre-authorization', async () => {
    const { id } = await life.open();
    await life.advance(3 * DAY_MS);
    expect((await life.cancel(id)).status).toBe('cancelled');
    await life.untilEnded(id);
    expect(await life.events(id)).toEqual(['requested', 'cancelled']);
    expect((await apiErrorOf(life.cancel(id))).code).toBe('invalid_state');
    await life.untilEnded(id);
    await life.record(id, 'cancelled-again');
  });

  test('on day 3 releases the session of an approved pre-authorization', async () => {
    const { id } = await life.approved();
    await life.advance(3 * DAY_MS);
    expect(await life.cancel(id)).toMatchObject({ status: 'cancelled', amount: { approved: 350_000 } });
    await life.untilEnded(id);
    expect(await life.areReleased(id)).toEqual([true]);
    expect(await life.events(id)).toEqual(['requested', 'approved', 'cancelled']);
    await life.record(id, 'cancelled-on-day-3');
  });

  test('by the test helper is an immediate expiry, with or without a key', async () => {
    for (const key of [undefined, newId('key_')]) {
      const { id } = await life.approved();
      const params = { preauthorization_id: id };
      const options = key === undefined ? { params } : { params, key };
      const { body } = await life.benefits.call('expirePreauthorization', undefined, options);
      expect(body.status).toBe('expired');
      expect(await life.areReleased(id)).toEqual([true]);
      await life.untilEnded(id);
      if (key === undefined) await life.record(id, 'expired-by-helper');
    }
  });
});

describe('the workflow', () => {
  test('continues as a new run after a long history, and keeps its deadline', async () => {
    const { id } = await life.open({ historyLimit: 12 });
    const now = await life.benefits.now();
    for (let rejected = 0; rejected < 6; rejected++) {
      const tooMuch = approval(now, { approved_amount: 350_001 });
      expect((await apiErrorOf(life.decide(id, tooMuch))).code).toBe('amount_exceeds_request');
    }
    await life.untilIdle(id);
    const runs = await life.client.workflow.getHandle(id).fetchHistory();
    const started = runs.events?.[0]?.workflowExecutionStartedEventAttributes;
    expect(started?.continuedExecutionRunId).toBeTruthy();
    await life.advance(14 * DAY_MS);
    await life.untilEnded(id);
    expect((await life.read(id)).status).toBe('expired');
  });

  test('is started again by a command after its run was lost', async () => {
    const { id } = await life.approved();
    await life.client.workflow.getHandle(id).terminate('lost');
    expect((await life.cancel(id)).status).toBe('cancelled');
    await life.untilEnded(id);
    await life.record(id, 'revived');
  });

  test('of an unknown pre-authorization ends immediately', async () => {
    const input = { resourceId: newId('preauth_'), tenant: 'prj_none', environment: 'sandbox' };
    await life.client.workflow.execute('preauthorization', {
      taskQueue: 'benefits',
      workflowId: input.resourceId,
      args: [input],
    });
  });

  test('shows its state to an operator, without the member', async () => {
    const { id, memberReference } = await life.approved();
    const handle = life.client.workflow.getHandle(id);
    const { typedSearchAttributes } = await handle.describe();
    const shown = Object.fromEntries(
      typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]),
    );
    expect(shown).toMatchObject({
      PreauthorizationStatus: 'approved',
      Environment: 'sandbox',
      ProjectId: life.benefits.caller.tenant,
      DueAt: expect.any(Date),
    });
    expect(JSON.stringify(await handle.fetchHistory())).not.toContain(memberReference);
  });
});
