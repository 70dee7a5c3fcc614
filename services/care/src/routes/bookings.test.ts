import { validateBody } from '@carecover/contract';
import { newId, type Tenant } from '@carecover/domain';
import { countStatements, newTenant, testCaller } from '@carecover/testing/services';
import { addPractitioner, book, slot } from '../testing/fixtures';
import { startTestCare, type TestCare } from '../testing/test-care';
import { cancelBooking } from '../use-cases/cancel-booking';
import { createBooking } from '../use-cases/create-booking';

let care: TestCare;
let tenant: Tenant;
let practitioner: string;

beforeAll(async () => {
  care = await startTestCare();
});
afterAll(() => care.stop());
beforeEach(async () => {
  tenant = newTenant();
  practitioner = await addPractitioner(care.sql, tenant);
  await care.database.setClockOffset(0);
});

const input = (startHour = 10, hours = 1) => ({ practitioner_id: practitioner, ...slot(startHour, hours) });
const cancel = (id: string, key?: string) =>
  care.request('cancelBooking', {
    tenant,
    params: { booking_id: id },
    body: { reason_code: 'person_unavailable' },
    ...(key === undefined ? {} : { key }),
  });

/**
 * Sets the database's clock to `instant` plus `offsetMs`. When the statement has ended, the clock is a few milliseconds later than that.
 */
const moveClockTo = (instant: string, offsetMs = 0) =>
  care.database.setClockOffset(Date.parse(instant) + offsetMs - Date.now());

describe('a booking', () => {
  test('starts reserved if it is covered and confirmed if it is self-paid, and so does its session', async () => {
    const covered = await book(care, tenant, input(10));
    const selfPaid = await book(care, tenant, { ...input(11), payment_source: 'self_pay' });
    expect(covered).toMatchObject({ status: 201, body: { status: 'reserved', payment_source: 'covered' } });
    expect(selfPaid).toMatchObject({
      status: 201,
      body: { status: 'confirmed', payment_source: 'self_pay' },
    });
    for (const { body } of [covered, selfPaid]) {
      const session = await care.request('getSession', { tenant, params: { session_id: body.session_id } });
      expect(session).toMatchObject({
        status: 200,
        body: { status: body.status, starts_at: body.starts_at },
      });
      const read = await care.request('getBooking', { tenant, params: { booking_id: body.id } });
      expect(read.body).toEqual(body);
    }
  });

  test("shows instants in UTC and the practitioner's time zone, with any offset in the request", async () => {
    const nairobi = await addPractitioner(care.sql, tenant, {
      reference: 'nairobi',
      timezone: 'Africa/Nairobi',
    });
    const { starts_at, ends_at } = slot(10);
    const response = await book(care, tenant, {
      practitioner_id: nairobi,
      starts_at: starts_at.replace('Z', '9999+00:00'),
      ends_at: ends_at.replace('T11:00:00.000Z', 'T14:00:00+03:00'),
    });
    expect(response).toMatchObject({ status: 201, body: { starts_at, ends_at, timezone: 'Africa/Nairobi' } });
  });

  test('can be adjacent to another one, and can overlap one of another practitioner', async () => {
    const other = await addPractitioner(care.sql, tenant, { reference: 'other' });
    await book(care, tenant, input(10));
    expect(await book(care, tenant, input(9))).toMatchObject({ status: 201 });
    expect(await book(care, tenant, input(11))).toMatchObject({ status: 201 });
    expect(await book(care, tenant, { ...input(10), practitioner_id: other })).toMatchObject({ status: 201 });
  });

  test('can last at most eight hours', async () => {
    expect(await book(care, tenant, input(10, 8))).toMatchObject({ status: 201 });
    const { starts_at, ends_at } = slot(10, 8);
    const body = (ends: string) => ({
      practitioner_id: practitioner,
      starts_at,
      ends_at: ends,
      format: 'online',
      payment_source: 'covered',
    });
    const tooLong = validateBody('createBooking', body(ends_at.replace('.000Z', '.001Z')));
    expect(tooLong).toMatchObject({ ok: false, problems: [{ pointer: '/ends_at' }] });
    expect(validateBody('createBooking', body(starts_at))).toMatchObject({ ok: false });
  });

  test('is rejected with slot_unavailable if an active booking overlaps it by one millisecond', async () => {
    await book(care, tenant, input(10));
    const late = { ...input(11), starts_at: slot(11).starts_at.replace('11:00:00.000Z', '10:59:59.999Z') };
    expect(await book(care, tenant, late)).toMatchObject({ status: 409, code: 'slot_unavailable' });
    expect(await book(care, tenant, input(10))).toMatchObject({ status: 409, code: 'slot_unavailable' });
  });

  test('can take the slot of a cancelled booking', async () => {
    const first = await book(care, tenant, input(10));
    await cancel(first.body.id);
    expect(await book(care, tenant, input(10))).toMatchObject({ status: 201 });
  });

  test("of an unknown practitioner, or of another project's, returns 404 before any other rule", async () => {
    const past = {
      practitioner_id: 'prc_unknown',
      starts_at: '2020-01-01T00:00:00Z',
      ends_at: '2020-01-01T01:00:00Z',
    };
    expect(await book(care, tenant, past)).toMatchObject({ status: 404, code: 'resource_not_found' });
    expect(await book(care, newTenant(), input(10))).toMatchObject({
      status: 404,
      code: 'resource_not_found',
    });
  });

  test('in the past is rejected before the hours are checked', async () => {
    const monday = [{ weekday: 1, start: '09:00', end: '10:00', formats: ['online' as const] }];
    const rarely = await addPractitioner(care.sql, tenant, { reference: 'rarely', weeklyHours: monday });
    const past = { starts_at: '2020-01-01T00:00:00Z', ends_at: '2020-01-01T01:00:00Z' };
    expect(await book(care, tenant, { practitioner_id: rarely, ...past })).toMatchObject({
      status: 422,
      code: 'session_in_past',
    });
    expect(await book(care, tenant, { ...input(10), practitioner_id: rarely, ...slot(10, 2) })).toMatchObject(
      {
        status: 422,
        code: 'outside_availability',
      },
    );
  });

  test("is checked against the database's clock", async () => {
    await moveClockTo(slot(10).starts_at, 1);
    expect(await book(care, tenant, input(10))).toMatchObject({ status: 422, code: 'session_in_past' });
    expect(await book(care, tenant, input(11))).toMatchObject({ status: 201 });
  });

  test('in a format that is not offered at that time is rejected', async () => {
    const response = await book(care, tenant, { ...input(10), format: 'in_person' });
    expect(response).toMatchObject({ status: 422, code: 'outside_availability' });
  });

  test('keeps its time zone when the directory changes', async () => {
    const { body } = await book(care, tenant, input(10));
    await addPractitioner(care.sql, tenant, { timezone: 'Asia/Kathmandu' });
    const read = await care.request('getBooking', { tenant, params: { booking_id: body.id } });
    expect(read.body.timezone).toBe('UTC');
  });
});

describe('an idempotency key', () => {
  test('returns the first response again, byte for byte, with 200', async () => {
    const first = await book(care, tenant, input(10), { key: 'one-key-one-booking' });
    await cancel(first.body.id);
    const again = await book(care, tenant, input(10), { key: 'one-key-one-booking' });
    expect(again).toMatchObject({ status: 200, replayed: true, text: first.text });
  });

  test('identifies one request: another body conflicts, also if it is invalid otherwise', async () => {
    await book(care, tenant, input(10), { key: 'one-key-one-booking' });
    const other = await book(
      care,
      tenant,
      { ...input(10), practitioner_id: 'prc_unknown' },
      { key: 'one-key-one-booking' },
    );
    expect(other).toMatchObject({ status: 409, code: 'idempotency_conflict' });
  });

  test('can be used again after a rejection', async () => {
    await book(care, tenant, input(10));
    expect(await book(care, tenant, input(10), { key: 'key-of-a-rejection' })).toMatchObject({ status: 409 });
    expect(await book(care, tenant, input(12), { key: 'key-of-a-rejection' })).toMatchObject({ status: 201 });
  });

  test('is separate for each project', async () => {
    const neighbour = newTenant();
    const theirs = await addPractitioner(care.sql, neighbour);
    await book(care, tenant, input(10), { key: 'a-key-of-two-projects' });
    const response = await book(
      care,
      neighbour,
      { ...input(10), practitioner_id: theirs },
      { key: 'a-key-of-two-projects' },
    );
    expect(response).toMatchObject({ status: 201, replayed: false });
  });
});

describe('cancellation', () => {
  test('cancels the booking and its session', async () => {
    const { body } = await book(care, tenant, input(10));
    expect(await cancel(body.id)).toMatchObject({ status: 200, body: { ...body, status: 'cancelled' } });
    const session = await care.request('getSession', { tenant, params: { session_id: body.session_id } });
    expect(session.body.status).toBe('cancelled');
  });

  test('is possible once; a repeated request with the same key returns the same response', async () => {
    const { body } = await book(care, tenant, input(10));
    const first = await cancel(body.id, 'cancel-this-one');
    expect(await cancel(body.id, 'cancel-this-one')).toMatchObject({
      status: 200,
      replayed: true,
      text: first.text,
    });
    expect(await cancel(body.id)).toMatchObject({ status: 409, code: 'invalid_state' });
  });

  test('is possible until the session starts', async () => {
    const { body } = await book(care, tenant, input(10));
    await moveClockTo(body.starts_at);
    expect(await cancel(body.id)).toMatchObject({ status: 409, code: 'invalid_state' });
    await moveClockTo(body.starts_at, -60_000);
    expect(await cancel(body.id)).toMatchObject({ status: 200 });
  });

  test('is rejected after an early delivery of the session', async () => {
    const { body } = await book(care, tenant, input(10));
    await care.request('deliverSession', { tenant, params: { session_id: body.session_id } });
    expect(await cancel(body.id)).toMatchObject({ status: 409, code: 'invalid_state' });
  });

  test("of another project's booking, or of an unknown one, returns 404", async () => {
    const { body } = await book(care, tenant, input(10));
    const foreign = await care.request('cancelBooking', {
      tenant: newTenant(),
      params: { booking_id: body.id },
      body: { reason_code: 'person_unavailable' },
    });
    expect(foreign).toMatchObject({ status: 404, code: 'resource_not_found' });
    expect(await cancel('bkg_none')).toMatchObject({ status: 404, code: 'resource_not_found' });
  });
});

test("another project's booking and session are not found", async () => {
  const { body } = await book(care, tenant, input(10));
  const otherTenant = newTenant();
  expect(
    await care.request('getBooking', { tenant: otherTenant, params: { booking_id: body.id } }),
  ).toMatchObject({
    status: 404,
    code: 'resource_not_found',
  });
  expect(
    await care.request('getSession', { tenant: otherTenant, params: { session_id: body.session_id } }),
  ).toMatchObject({
    status: 404,
    code: 'resource_not_found',
  });
  expect((await care.request('listBookings', { tenant: otherTenant })).body.data).toEqual([]);
});

test("the service's role can neither change the booked time nor delete a booking", async () => {
  const { body } = await book(care, tenant, input(10));
  await expect(
    care.sql`update bookings set starts_at = platform.now() where id = ${body.id}`,
  ).rejects.toThrow(/permission denied/);
  await expect(care.sql`delete from bookings where id = ${body.id}`).rejects.toThrow(/permission denied/);
});

test('a booking takes 6 statements in 5 round trips, and its cancellation 6 in 4', async () => {
  const counting = countStatements(care.database.url('care'));
  const call = (more: object) =>
    ({
      caller: testCaller(tenant),
      idempotencyKey: newId('key_'),
      requestHash: Buffer.alloc(32),
      replayStatus: 200,
      ...more,
    }) as never;
  const created: string[] = [];
  const create = (hour: number) =>
    counting.costOf(async () => {
      const operation = 'createBooking';
      const body = { ...input(hour), format: 'online', payment_source: 'self_pay' };
      const { text } = await createBooking(counting.sql, call({ operation, body }));
      created.push(JSON.parse(text).id);
    });
  await create(10);
  expect(await create(11)).toEqual({ statements: 6, roundTrips: 5 });
  const cancelled = await counting.costOf(() => {
    const [id = ''] = created;
    const body = { reason_code: 'person_unavailable' };
    const more = { operation: 'cancelBooking', params: { booking_id: id }, body };
    return cancelBooking(counting.sql, { notifyNow: async () => undefined } as never, call(more));
  });
  expect(cancelled).toEqual({ statements: 6, roundTrips: 4 });
  await counting.sql.end();
});
