import { newId } from '@carecover/platform';
import type { BookingFacts } from '@carecover/workflow-preauthorization';
import { check, observation, open, shelve } from '../testing/care-path';
import { DAY_MS } from '../testing/days';
import { approval } from '../testing/decisions';
import { directTemporal } from '../testing/direct-temporal';
import { apiErrorOf, HASH_SECRET, newCaller, TestBenefits } from '../testing/test-benefits';
import { cancelledBookingRoute } from './cancelled-bookings';

let benefits: TestBenefits;
let now: number;

beforeAll(async () => {
  benefits = await TestBenefits.open();
  benefits.useTemporal(directTemporal(benefits.sql));
});
beforeEach(async () => {
  now = await benefits.now();
  benefits.caller = newCaller();
});
afterAll(() => benefits.close());

/** An eligible check of a session a day ahead, unless the amount is too much. */
async function checked(amount = 350_000, aheadMs = DAY_MS) {
  const input = observation(now);
  await benefits.call('createCoverage', input);
  return check(benefits, input.member_reference, now + aheadMs, { amount });
}

const request = (eligibility_check_id: string, booking: BookingFacts, options = {}) =>
  benefits.call('createPreauthorization', { eligibility_check_id, booking_id: booking.bookingId }, options);
const read = (preauthorization_id: string, options = {}) =>
  benefits.call('getPreauthorization', undefined, { params: { preauthorization_id }, ...options });
const cancel = (preauthorization_id: string) =>
  benefits.call(
    'cancelPreauthorization',
    { reason_code: 'plans_changed' },
    { params: { preauthorization_id } },
  );

describe('opening', () => {
  test('makes a pending request of the check and the booking, reserves nothing and is told', async () => {
    const { id } = await checked();
    const booking = shelve(benefits, now + DAY_MS);
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

  test('is repeated under its key without a second effect, and without care', async () => {
    const { id } = await checked();
    const booking = shelve(benefits, now + DAY_MS);
    const key = newId('key_');
    const first = await request(id, booking, { key });
    benefits.bookings.delete(booking.bookingId);
    expect(await request(id, booking, { key })).toEqual({ status: 200, replayed: true, body: first.body });
    expect((await benefits.eventsOf(first.body.id)).length).toBe(1);
  });

  test('needs a check and a booking that the project has', async () => {
    const { id } = await checked();
    const booking = shelve(benefits, now + DAY_MS);
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
  ] as const)('is refused with %s, and the key stays free', async (code, amount, overrides) => {
    const { id } = await checked(amount);
    const booking = shelve(benefits, now + DAY_MS, overrides);
    const key = newId('key_');
    expect((await apiErrorOf(request(id, booking, { key }))).code).toBe(code);
    const good = await checked();
    expect((await request(good.id, shelve(benefits, now + DAY_MS), { key })).status).toBe(201);
  });

  test("from the session's start on is refused, not a moment before it", async () => {
    const startsAtMs = now + DAY_MS;
    const { id } = await checked();
    const booking = shelve(benefits, startsAtMs);
    try {
      await benefits.database.stopClock(startsAtMs);
      expect((await apiErrorOf(request(id, booking))).code).toBe('session_in_past');
      await benefits.database.stopClock(startsAtMs - 1);
      expect((await request(id, booking)).status).toBe(201);
    } finally {
      await benefits.database.setClockOffset(0);
    }
  });

  test('is refused while the booking has another that is pending or approved, and allowed when that is over', async () => {
    const { id } = await checked();
    const booking = shelve(benefits, now + DAY_MS);
    const { body: first } = await request(id, booking);
    expect((await apiErrorOf(request(id, booking))).code).toBe('preauthorization_exists');
    const params = { preauthorization_id: first.id };
    await benefits.call('decidePreauthorization', approval(now), { params });
    expect((await apiErrorOf(request(id, booking))).code).toBe('preauthorization_exists');
    await cancel(first.id);
    expect((await request(id, booking)).status).toBe(201);
  });

  test('lets one that is overdue expire first, however late its timer is', async () => {
    const { id } = await checked(350_000, 300 * DAY_MS);
    const booking = shelve(benefits, now + 300 * DAY_MS);
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
  test("to one that is unknown, another project's or hidden from a token are not found and leave nothing behind", async () => {
    const { preauthorization } = await open(benefits);
    const strangers = [newCaller(), { ...benefits.caller, resourceIds: ['bkg_1'] }];
    for (const caller of strangers) {
      const params = { preauthorization_id: preauthorization.id };
      const refused = [
        benefits.call('decidePreauthorization', approval(now), { params, caller }),
        benefits.call('cancelPreauthorization', { reason_code: 'no_reason' }, { params, caller }),
        benefits.call('expirePreauthorization', undefined, { params, caller }),
        read(preauthorization.id, { caller }),
      ];
      for (const work of refused) expect((await apiErrorOf(work)).code).toBe('resource_not_found');
    }
    expect(await benefits.sql`select 1 from commands where answer_status is null`).toHaveLength(0);
  });

  test('keep no body once they are answered', async () => {
    const { preauthorization } = await open(benefits);
    await benefits.call('decidePreauthorization', approval(now), {
      params: { preauthorization_id: preauthorization.id },
    });
    expect(await benefits.sql`select 1 from commands where body is not null`).toHaveLength(0);
  });
});

describe('the list', () => {
  test('is newest first, in pages, by status and time of creation, and of the project alone', async () => {
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
});

describe('a cancelled booking', () => {
  const tell = (bookingId: string) =>
    cancelledBookingRoute(benefits.sql, directTemporal(benefits.sql), HASH_SECRET).handle(
      benefits.caller,
      { booking_id: bookingId },
      {},
    );

  test('takes its open pre-authorization with it, once, however often it is told', async () => {
    const { preauthorization, booking } = await open(benefits);
    await benefits.call('decidePreauthorization', approval(now), {
      params: { preauthorization_id: preauthorization.id },
    });
    expect(await tell(booking.bookingId)).toEqual({ preauthorization_id: preauthorization.id });
    expect(await tell(booking.bookingId)).toEqual({ preauthorization_id: null });
    expect((await read(preauthorization.id)).body.status).toBe('cancelled');
    expect((await benefits.eventsOf(preauthorization.id)).map(({ type }) => type)).toEqual([
      'preauthorization.requested',
      'preauthorization.approved',
      'preauthorization.cancelled',
    ]);
    const held =
      await benefits.sql`select 1 from reservations where released_at is null and preauthorization_id = ${preauthorization.id}`;
    expect(held).toHaveLength(0);
  });

  test('without a pre-authorization never gets one, even where care is asked too early', async () => {
    const { id } = await checked();
    const booking = shelve(benefits, now + DAY_MS);
    await tell(booking.bookingId);
    expect((await apiErrorOf(request(id, booking))).code).toBe('invalid_state');
  });

  test("can't be kept from being told by a caller who takes its key", async () => {
    const { preauthorization, booking } = await open(benefits);
    const other = await open(benefits);
    const params = { preauthorization_id: other.preauthorization.id };
    await benefits.call(
      'cancelPreauthorization',
      { reason_code: 'mine' },
      { params, key: `booking:${booking.bookingId}` },
    );
    await tell(booking.bookingId);
    expect((await read(preauthorization.id)).body.status).toBe('cancelled');
  });
});
