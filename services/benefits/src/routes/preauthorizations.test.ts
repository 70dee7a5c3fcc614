import { newId } from '@carecover/domain';
import type { BookingSnapshot } from '@carecover/workflow-preauthorization';
import { addBooking, check, observation, open } from '../testing/care-path';
import { DAY_MS } from '../testing/days';
import { approval } from '../testing/decisions';
import { apiErrorOf, newCaller, TestBenefits } from '../testing/test-benefits';
import { cancelledBookingRoute } from './cancelled-bookings';

let benefits: TestBenefits;
let now: number;

beforeAll(async () => {
  benefits = await TestBenefits.open();
});
beforeEach(async () => {
  now = await benefits.now();
  benefits.caller = newCaller();
});
afterAll(() => benefits.close());

/**
 * Creates an eligibility check for a session that starts in `aheadMs`. The session is eligible unless the amount is above the coverage's
 * limit.
 */
async function checked(amount = 350_000, aheadMs = DAY_MS) {
  const input = observation(now);
  await benefits.call('createCoverage', input);
  return check(benefits, input.member_reference, now + aheadMs, { amount });
}

const request = (eligibility_check_id: string, booking: BookingSnapshot, options = {}) =>
  benefits.call('createPreauthorization', { eligibility_check_id, booking_id: booking.bookingId }, options);
const read = (preauthorization_id: string, options = {}) =>
  benefits.call('getPreauthorization', undefined, { params: { preauthorization_id }, ...options });
const cancel = (preauthorization_id: string) =>
  benefits.call(
    'cancelPreauthorization',
    { reason_code: 'plans_changed' },
    { params: { preauthorization_id } },
  );

describe('a creation', () => {
  test('makes a pending request from the check and the booking, reserves nothing and has an event', async () => {
    const { id } = await checked();
    const booking = addBooking(benefits, now + DAY_MS);
    const { status, body } = await request(id, booking);
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^preauth_/),
      object: 'preauthorization',
      eligibility_check_id: id,
      booking_id: booking.bookingId,
      status: 'pending',
      reason_codes: [],
      amount: { requested: 350_000, approved: null, currency: 'KES' },
      valid_until: null,
      created_at: expect.any(String),
      decision: null,
    });
    expect((await read(body.id)).body).toEqual(body);
    expect(
      await benefits.sql`select 1 from reservations where preauthorization_id = ${body.id}`,
    ).toHaveLength(0);
    const [event, ...others] = await benefits.eventsOf(body.id);
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      type: 'preauthorization.requested',
      resource_version: 1,
      livemode: false,
      data: { id: body.id, status: 'pending', decision_version: null },
    });
  });

  test('repeated under its key has no second effect and does not call care', async () => {
    const { id } = await checked();
    const booking = addBooking(benefits, now + DAY_MS);
    const key = newId('key_');
    const first = await request(id, booking, { key });
    benefits.bookings.delete(booking.bookingId);
    expect(await request(id, booking, { key })).toEqual({ status: 200, replayed: true, body: first.body });
    expect((await benefits.eventsOf(first.body.id)).length).toBe(1);
  });

  test('requires a check and a booking of the project', async () => {
    const { id } = await checked();
    const booking = addBooking(benefits, now + DAY_MS);
    expect((await apiErrorOf(request('elig_none', booking))).code).toBe('resource_not_found');
    expect((await apiErrorOf(request(id, { ...booking, bookingId: 'bkg_none' }))).code).toBe(
      'resource_not_found',
    );
    expect((await apiErrorOf(request(id, booking, { caller: newCaller() }))).code).toBe('resource_not_found');
  });

  test.each([
    ['not_eligible', 400_001, {}],
    ['booking_not_covered', 350_000, { paymentSource: 'self_pay' }],
    ['invalid_state', 350_000, { status: 'cancelled' }],
    ['service_mismatch', 350_000, { startsAt: '2099-01-01T00:00:00.000Z' }],
  ] as const)('is rejected with %s, and the key can be used again', async (code, amount, overrides) => {
    const { id } = await checked(amount);
    const booking = addBooking(benefits, now + DAY_MS, overrides);
    const key = newId('key_');
    expect((await apiErrorOf(request(id, booking, { key }))).code).toBe(code);
    const good = await checked();
    expect((await request(good.id, addBooking(benefits, now + DAY_MS), { key })).status).toBe(201);
  });

  test("is rejected from the session's start on, and not before", async () => {
    const startsAtMs = now + DAY_MS;
    const { id } = await checked();
    const booking = addBooking(benefits, startsAtMs);
    try {
      await benefits.database.stopClock(startsAtMs);
      expect((await apiErrorOf(request(id, booking))).code).toBe('session_in_past');
      await benefits.database.stopClock(startsAtMs - 1);
      expect((await request(id, booking)).status).toBe(201);
    } finally {
      await benefits.database.setClockOffset(0);
    }
  });

  test('is rejected while the booking has a pending or approved one, and allowed after that has ended', async () => {
    const { id } = await checked();
    const booking = addBooking(benefits, now + DAY_MS);
    const { body: first } = await request(id, booking);
    expect((await apiErrorOf(request(id, booking))).code).toBe('preauthorization_exists');
    const params = { preauthorization_id: first.id };
    await benefits.call('decidePreauthorization', approval(now), { params });
    expect((await apiErrorOf(request(id, booking))).code).toBe('preauthorization_exists');
    await cancel(first.id);
    expect((await request(id, booking)).status).toBe(201);
  });

  test('expires an overdue one first, even if its timer is late', async () => {
    const { id } = await checked(350_000, 300 * DAY_MS);
    const booking = addBooking(benefits, now + 300 * DAY_MS);
    const { body: first } = await request(id, booking);
    await benefits.database.setClockOffset(14 * DAY_MS);
    try {
      expect((await request(id, booking)).status).toBe(201);
      expect((await read(first.id)).body.status).toBe('expired');
      expect((await benefits.eventsOf(first.id)).map(({ type }) => type)).toEqual([
        'preauthorization.requested',
        'preauthorization.expired',
      ]);
    } finally {
      await benefits.database.setClockOffset(0);
    }
  });
});

describe('commands', () => {
  test("to one that is unknown, another project's or not visible to a token are not found and store nothing", async () => {
    const { preauthorization } = await open(benefits);
    const otherCallers = [newCaller(), { ...benefits.caller, resourceIds: ['bkg_1'] }];
    for (const caller of otherCallers) {
      const params = { preauthorization_id: preauthorization.id };
      const rejected = [
        benefits.call('decidePreauthorization', approval(now), { params, caller }),
        benefits.call('cancelPreauthorization', { reason_code: 'no_reason' }, { params, caller }),
        benefits.call('expirePreauthorization', undefined, { params, caller }),
        read(preauthorization.id, { caller }),
      ];
      for (const work of rejected) expect((await apiErrorOf(work)).code).toBe('resource_not_found');
    }
    expect(await benefits.sql`select 1 from pending_commands`).toHaveLength(0);
  });

  test('store no body after they have a response', async () => {
    const { preauthorization } = await open(benefits);
    await benefits.call('decidePreauthorization', approval(now), {
      params: { preauthorization_id: preauthorization.id },
    });
    expect(await benefits.sql`select 1 from pending_commands`).toHaveLength(0);
  });
});

describe('the list', () => {
  test('is newest first, in pages, filtered by status and time of creation, and only of the project', async () => {
    const ids: string[] = [];
    for (let made = 0; made < 5; made++) ids.unshift((await open(benefits)).preauthorization.id);
    await cancel(ids[1] ?? '');
    const list = async (query: object) =>
      (await benefits.call('listPreauthorizations', undefined, { query })).body;
    const page = await list({ limit: 2 });
    expect(page).toMatchObject({ object: 'list', has_more: true });
    expect(page.data.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    const next = await list({ limit: 3, starting_after: ids[1] });
    expect(next.data.map(({ id }) => id)).toEqual(ids.slice(2));
    expect(next.has_more).toBe(false);
    expect((await list({ status: 'cancelled' })).data.map(({ id }) => id)).toEqual([ids[1]]);
    const middle = (await read(ids[2] ?? '')).body.created_at;
    expect((await list({ created_after: middle })).data.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    expect((await list({ created_before: middle })).data.map(({ id }) => id)).toEqual(ids.slice(3));
    benefits.caller = newCaller();
    expect((await list({})).data).toEqual([]);
  });

  test('is filtered by booking, also with a status', async () => {
    const { preauthorization: other } = await open(benefits);
    const { id } = await checked();
    const booking = addBooking(benefits, now + DAY_MS);
    const { body: first } = await request(id, booking);
    await cancel(first.id);
    const { body: second } = await request(id, booking);
    const idsOf = async (query: object) =>
      (await benefits.call('listPreauthorizations', undefined, { query })).body.data.map(({ id }) => id);
    const booking_id = booking.bookingId;
    expect(await idsOf({ booking_id })).toEqual([second.id, first.id]);
    expect(await idsOf({ booking_id, status: 'cancelled' })).toEqual([first.id]);
    expect(await idsOf({ booking_id: other.booking_id })).toEqual([other.id]);
    expect(await idsOf({ booking_id: 'bkg_unknown' })).toEqual([]);
    benefits.caller = newCaller();
    expect(await idsOf({ booking_id })).toEqual([]);
  });
});

describe('the notification of a cancelled booking', () => {
  const notify = (bookingId: string) =>
    cancelledBookingRoute(benefits.deps).handle(benefits.caller, { booking_id: bookingId }, {});

  test('cancels its open pre-authorization once, also when it is repeated', async () => {
    const { preauthorization, booking } = await open(benefits);
    await benefits.call('decidePreauthorization', approval(now), {
      params: { preauthorization_id: preauthorization.id },
    });
    expect(await notify(booking.bookingId)).toEqual({ preauthorization_id: preauthorization.id });
    expect(await notify(booking.bookingId)).toEqual({ preauthorization_id: null });
    expect((await read(preauthorization.id)).body.status).toBe('cancelled');
    expect((await benefits.eventsOf(preauthorization.id)).map(({ type }) => type)).toEqual([
      'preauthorization.requested',
      'preauthorization.approved',
      'preauthorization.cancelled',
    ]);
    const reserved =
      await benefits.sql`select 1 from reservations where released_at is null and preauthorization_id = ${preauthorization.id}`;
    expect(reserved).toHaveLength(0);
  });

  test('prevents a later pre-authorization, even if the booking was read from care before', async () => {
    const { id } = await checked();
    const booking = addBooking(benefits, now + DAY_MS);
    await notify(booking.bookingId);
    expect((await apiErrorOf(request(id, booking))).code).toBe('invalid_state');
  });
});
