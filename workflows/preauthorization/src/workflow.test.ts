/** The lifecycle of a pre-authorization in Temporal: deadlines, what its run shows, and what happens to lost runs. */
import type { Preauthorization } from '@carecover/contract';
import { newId } from '@carecover/domain';
import { eventually } from '@carecover/testing/servers';
import type { SessionSnapshot } from '@carecover/workflow-claim';
import { callsOfClaims } from '../../../services/benefits/src/activities';
import { type Opened, open } from '../../../services/benefits/src/testing/care-path';
import { DAY_MS } from '../../../services/benefits/src/testing/days';
import { approval, denial } from '../../../services/benefits/src/testing/decisions';
import { Life } from '../../../services/benefits/src/testing/life';
import { apiErrorOf } from '../../../services/benefits/src/testing/test-benefits';

let life: Life;
let claims: ReturnType<typeof callsOfClaims>;
beforeAll(async () => {
  life = await Life.begin();
  claims = callsOfClaims(life.benefits.deps);
}, 120_000);
afterEach(() => life.terminateAll());
afterAll(() => life.close());

async function useByClaim({ booking, preauthorization }: Opened): Promise<string> {
  const claimId = newId('clm_');
  const session: SessionSnapshot = {
    ...booking,
    practitionerId: 'prc_1',
    status: 'delivered',
    recorded: null,
  };
  await claims.useForClaim({
    tenant: life.benefits.caller.tenant,
    caller: life.benefits.caller,
    claimId,
    eligibilityCheckId: preauthorization.eligibility_check_id,
    preauthorizationId: preauthorization.id,
    session,
    serviceCodes: ['psy.individual.50'],
  });
  return claimId;
}

const release = (claimId: string) =>
  claims.releaseFromClaim({ tenant: life.benefits.caller.tenant, claimId });

const deadlineOf = ({ created_at }: Preauthorization) => Date.parse(created_at) + 14 * DAY_MS;

describe('a pending pre-authorization', () => {
  test('expires once after 14 days, and its run ends', async () => {
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
    expect(await life.areReleased(id)).toEqual([]);
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
    await life.untilIdle(id);
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
  });

  test('that is denied has no run any more', async () => {
    const { id } = await life.open();
    await life.decide(id, denial);
    await life.untilEnded(id);
    expect(await life.events(id)).toEqual(['requested', 'denied']);
    await life.record(id, 'denied');
  });

  test('that ends before its first signal needs no run', async () => {
    await life.stopWorker();
    const { preauthorization } = await open(life.benefits);
    const { id } = preauthorization;
    await life.cancel(id);
    await life.untilSignalled();
    const status = await life.runStatus(id);
    await life.startWorker();
    if (status !== null) await life.untilEnded(id);
    expect(await life.events(id)).toEqual(['requested', 'cancelled']);
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

  test('does not expire while a claim uses it, its run ends, and a release after valid_until expires it immediately', async () => {
    const one = await life.approved();
    const claimId = await useByClaim(one);
    // The signal about the use ends the run, long before its timer would fire.
    await life.untilEnded(one.id);
    await life.record(one.id, 'approved-and-used');
    await life.advance(91 * DAY_MS);
    expect((await life.read(one.id)).status).toBe('approved');
    expect((await apiErrorOf(life.cancel(one.id))).code).toBe('invalid_state');
    await release(claimId);
    expect((await life.read(one.id)).status).toBe('expired');
    expect(await life.areReleased(one.id)).toEqual([true]);
    expect(await life.facts(one.id)).toEqual(['requested', 'approved', 'used', 'released', 'expired']);
    expect(await life.events(one.id)).toEqual(['requested', 'approved', 'expired']);
    await life.untilEnded(one.id);
  });

  test('that a claim releases before valid_until has a run again, and expires at valid_until', async () => {
    const one = await life.approved();
    const claimId = await useByClaim(one);
    await life.untilEnded(one.id);
    await release(claimId);
    await eventually('a run is started', async () => (await life.runStatus(one.id)) === 'RUNNING');
    await life.untilIdle(one.id);
    expect((await life.signalledChanges(one.id)).map(({ what }) => what)).toEqual(['released']);
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
    await life.untilIdle(id);
    await life.advance(366 * DAY_MS);
    expect(await life.read(id)).toMatchObject({ status: 'approved', valid_until: end });
    const { historyLength } = await life.client.workflow.getHandle(id).describe();
    expect(historyLength).toBeLessThan(60);
  });
});

describe('a cancellation', () => {
  test('on day 3 ends a pending pre-authorization and its run', async () => {
    const { id } = await life.open();
    await life.advance(3 * DAY_MS);
    expect((await life.cancel(id)).status).toBe('cancelled');
    await life.untilEnded(id);
    expect(await life.events(id)).toEqual(['requested', 'cancelled']);
    expect((await apiErrorOf(life.cancel(id))).code).toBe('invalid_state');
    await life.untilSignalled();
    expect(await life.runStatus(id)).toBe('COMPLETED');
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

describe('the run', () => {
  test('continues as a new run after a long history, and keeps its deadline', async () => {
    const { id, booking } = await life.open();
    await life.loseRun(id);
    await life.startRun(id, 12);
    const { runId } = await life.client.workflow.getHandle(id).describe();
    life.benefits.care.cancelledBookings.add(booking.bookingId);
    const decision = approval(await life.benefits.now());
    for (let rejected = 0; rejected < 6; rejected++) {
      expect((await apiErrorOf(life.decide(id, decision))).code).toBe('invalid_state');
      await life.untilIdle(id);
    }
    const { events } = await life.client.workflow.getHandle(id).fetchHistory();
    const started = events?.[0]?.workflowExecutionStartedEventAttributes;
    expect(started?.continuedExecutionRunId).toBeTruthy();
    expect(started?.firstExecutionRunId).toBe(runId);
    await life.record(id, 'continued');
    await life.advance(14 * DAY_MS);
    await life.untilEnded(id);
    expect((await life.read(id)).status).toBe('expired');
  });

  test('is started again by the next change after it was lost', async () => {
    const { id } = await life.open({ sessionInMs: 200 * DAY_MS });
    await life.loseRun(id);
    expect((await life.decide(id, approval(await life.benefits.now()))).status).toBe('approved');
    await life.untilIdle(id);
    expect(await life.runStatus(id)).toBe('RUNNING');
    await life.advance(90 * DAY_MS);
    await life.untilEnded(id);
    expect(await life.events(id)).toEqual(['requested', 'approved', 'expired']);
    await life.record(id, 'revived');
  });

  test('is started again by the sweep after it was lost, and applies a deadline that passed meanwhile', async () => {
    const { id } = await life.open();
    await life.loseRun(id);
    await life.advance(15 * DAY_MS);
    expect((await life.read(id)).status).toBe('pending');
    await life.startMissing(id);
    await life.untilEnded(id);
    expect(await life.events(id)).toEqual(['requested', 'expired']);
    await life.record(id, 'started-by-sweep');
  });

  test('that was lost after the end of its pre-authorization is not started again', async () => {
    const { id } = await life.open();
    await life.loseRun(id);
    await life.cancel(id);
    await life.untilSignalled();
    expect(await life.runStatus(id)).toBe('TERMINATED');
  });

  test('of an unknown pre-authorization ends immediately', async () => {
    const input = { resourceId: newId('preauth_'), tenant: 'prj_none', environment: 'sandbox' };
    await life.client.workflow.execute('preauthorization', {
      taskQueue: 'benefits',
      workflowId: input.resourceId,
      args: [input],
    });
  });

  test('shows its status and deadline as search attributes, and nothing about the member', async () => {
    const { id, memberReference, preauthorization } = await life.open({ sessionInMs: 200 * DAY_MS });
    expect(await life.attributes(id)).toMatchObject({
      PreauthorizationStatus: 'pending',
      Environment: 'sandbox',
      ProjectId: life.benefits.caller.tenant,
      DueAt: new Date(deadlineOf(preauthorization)),
    });
    const decision = approval(await life.benefits.now());
    await life.decide(id, decision);
    await life.untilIdle(id);
    expect(await life.attributes(id)).toMatchObject({
      PreauthorizationStatus: 'approved',
      DueAt: new Date(decision.valid_until),
    });
    const handle = life.client.workflow.getHandle(id);
    expect(JSON.stringify(await handle.fetchHistory())).not.toContain(memberReference);
    await life.cancel(id);
    await life.untilEnded(id);
    const shown = await life.attributes(id);
    expect(shown.PreauthorizationStatus).toBe('cancelled');
    expect(shown.DueAt).toBeUndefined();
  });

  test('names each change with its time, its actor and the ID of its request', async () => {
    const { id, preauthorization } = await life.approved();
    const { authority: actor, requestId } = life.benefits.caller;
    const changes = await life.signalledChanges(id);
    expect(changes).toEqual([
      { what: 'requested', at: preauthorization.created_at, actor, requestId },
      { what: 'approved', at: expect.any(String), actor, requestId },
    ]);
    const details = await life.currentDetails(id);
    expect(details).toMatch(/^\*\*approved\*\*: waits for its use by a claim, until \d{4}-/);
    for (const { what, at } of changes)
      expect(details).toContain(`- ${at} ${what} (${actor}, request ${requestId})`);
  });
});
