/** Approvals whose process ended: the run of the pre-authorization finishes them. */

import { newId } from '@carecover/domain';
import { eventually } from '@carecover/testing/servers';
import { cancelledBookingRoute } from '../../../services/benefits/src/routes/cancelled-bookings';
import { DAY_MS } from '../../../services/benefits/src/testing/days';
import { approval } from '../../../services/benefits/src/testing/decisions';
import { Life } from '../../../services/benefits/src/testing/life';

let life: Life;
beforeAll(async () => {
  life = await Life.begin();
}, 120_000);
afterEach(async () => {
  life.benefits.care.reset();
  await life.terminateAll();
});
afterAll(() => life.close());

const confirmations = (bookingId: string) =>
  life.benefits.care.confirmed.filter((each) => each === bookingId).length;

/** Waits until no command of the pre-authorization is pending, and its run waits or has ended. */
async function untilFinished(id: string): Promise<void> {
  await eventually('the command is finished', async () => (await life.pendingCommands(id)) === 0);
  await life.untilIdle(id);
}

const whatChanged = async (id: string) => (await life.signalledChanges(id)).map(({ what }) => what);

describe('an interrupted approval', () => {
  test.each([false, true])(
    'is executed once by the run, and its request gets the response (confirmed before: %s)',
    async (isConfirmed) => {
      const { id, booking } = await life.open();
      const [key, decision] = [newId('key_'), approval(await life.benefits.now())];
      await life.interruptApproval(id, decision, { isConfirmed, key });
      await life.signalInterrupted();
      await untilFinished(id);
      expect(await life.facts(id)).toEqual(['requested', 'approved']);
      expect(await life.events(id)).toEqual(['requested', 'approved']);
      expect([confirmations(booking.bookingId), await life.areReleased(id)]).toEqual([1, [false]]);
      expect(await life.decide(id, decision, key)).toEqual(await life.read(id));
      expect(await whatChanged(id)).toEqual(['requested', 'decidePreauthorization interrupted', 'approved']);
      expect(await life.currentDetails(id)).toContain('interrupted decidePreauthorization executed');
      if (isConfirmed) await life.record(id, 'interrupted-approval');
    },
  );

  test('waits for care with visible attempts, and is then executed', async () => {
    const { id } = await life.open();
    await life.interruptApproval(id, approval(await life.benefits.now()));
    life.benefits.care.isAway = true;
    await life.signalInterrupted();
    await eventually('a second attempt is made', async () => {
      const { raw } = await life.client.workflow.getHandle(id).describe();
      const [activity] = raw.pendingActivities ?? [];
      return (
        activity?.activityType?.name === 'finishCommand' &&
        (activity.attempt ?? 0) > 1 &&
        JSON.stringify(activity.lastFailure).includes('The care service is temporarily unavailable')
      );
    });
    expect((await life.read(id)).status).toBe('pending');
    expect(await life.currentDetails(id)).toMatch(/^\*\*pending\*\*: waits for the end of its approval/);
    life.benefits.care.isAway = false;
    await untilFinished(id);
    expect((await life.read(id)).status).toBe('approved');
    await life.record(id, 'care-away-for-a-while');
  });

  test('that care rejects is taken back by the run, which then waits for the deadline of the decision again', async () => {
    const { id, booking } = await life.open();
    await life.interruptApproval(id, approval(await life.benefits.now()), { isConfirmed: true });
    life.benefits.care.cancelledBookings.add(booking.bookingId);
    await life.signalInterrupted();
    await untilFinished(id);
    expect((await life.read(id)).status).toBe('pending');
    expect([confirmations(booking.bookingId), await life.areReleased(id)]).toEqual([0, [true]]);
    expect(life.benefits.care.withdrawn).toContain(booking.bookingId);
    expect(await whatChanged(id)).toEqual([
      'requested',
      'decidePreauthorization interrupted',
      'approval rejected: invalid_state',
    ]);
    expect(await life.currentDetails(id)).toContain(
      'interrupted decidePreauthorization rejected: invalid_state',
    );
    await life.advance(14 * DAY_MS);
    await life.untilEnded(id);
    expect(await life.events(id)).toEqual(['requested', 'expired']);
    await life.record(id, 'interrupted-and-rejected');
  });

  test('whose valid_until has passed is taken back, and its key can be used again', async () => {
    const { id, booking } = await life.open();
    const key = newId('key_');
    const decision = approval(await life.benefits.now(), { validForMs: DAY_MS });
    await life.interruptApproval(id, decision, { isConfirmed: true, key });
    await life.advanceDatabaseClock(DAY_MS);
    await life.signalInterrupted();
    await untilFinished(id);
    expect([confirmations(booking.bookingId), await life.areReleased(id)]).toEqual([0, [true]]);
    expect((await life.decide(id, approval(await life.benefits.now()), key)).status).toBe('approved');
    expect(confirmations(booking.bookingId)).toBe(1);
  });

  test('is not overtaken by the deadline of the decision', async () => {
    const { id } = await life.open();
    const decision = approval(await life.benefits.now());
    await life.interruptApproval(id, decision);
    await life.advance(15 * DAY_MS);
    expect((await life.read(id)).status).toBe('pending');
    await life.signalInterrupted();
    await untilFinished(id);
    expect(await life.events(id)).toEqual(['requested', 'approved']);
  });

  test('is finished after its booking was cancelled, also if no run is open any more', async () => {
    const { id, booking } = await life.open();
    await life.interruptApproval(id, approval(await life.benefits.now()), { isConfirmed: true });
    life.benefits.care.cancelledBookings.add(booking.bookingId);
    const { caller, deps } = life.benefits;
    await cancelledBookingRoute(deps).handle(caller, { booking_id: booking.bookingId }, null);
    expect((await life.read(id)).status).toBe('cancelled');
    await life.untilEnded(id);
    expect(await life.pendingCommands(id)).toBe(1);
    await life.signalInterrupted();
    await eventually('the command is finished', async () => (await life.pendingCommands(id)) === 0);
    await life.untilEnded(id);
    expect(await life.events(id)).toEqual(['requested', 'cancelled']);
    await life.record(id, 'finished-after-the-end');
  });

  test('is finished by the next run if its run is lost, and after a restart of the worker', async () => {
    const { id, booking } = await life.open();
    await life.interruptApproval(id, approval(await life.benefits.now()));
    await life.loseRun(id);
    await life.stopWorker();
    await life.signalInterrupted();
    await life.untilSignalled();
    await life.startWorker();
    await untilFinished(id);
    expect(await life.facts(id)).toEqual(['requested', 'approved']);
    expect(confirmations(booking.bookingId)).toBe(1);
  });
});

test('an approval that is rejected while the run has no deadline gives the run its deadline again', async () => {
  const { id, booking } = await life.open();
  let resume: () => void = () => undefined;
  const resumed = new Promise<void>((resolve) => {
    resume = resolve;
  });
  life.benefits.care.beforeConfirming = () => resumed;
  life.benefits.care.cancelledBookings.add(booking.bookingId);
  const deciding = life.decide(id, approval(await life.benefits.now())).catch(() => 'rejected');
  await eventually('a session is reserved', async () => (await life.areReleased(id)).length > 0);
  // The run reads the facts during the approval, and waits without a timer.
  await life.startMissing(id);
  await life.untilSignalled();
  await eventually('the run has no deadline', async () => (await life.attributes(id)).DueAt === undefined);
  resume();
  expect(await deciding).toBe('rejected');
  await life.untilIdle(id);
  expect((await life.attributes(id)).DueAt).toBeDefined();
  await life.advance(14 * DAY_MS);
  await life.untilEnded(id);
  expect(await life.events(id)).toEqual(['requested', 'expired']);
});
