import { type SessionStatus, sessionStatuses } from '@carecover/contract';
import type { Tenant } from '@carecover/domain';
import { newTenant } from '@carecover/testing/services';
import { addPractitioner, book, slot } from '../testing/fixtures';
import { startTestCare, type TestCare } from '../testing/test-care';

const MINUTE_MS = 60_000;

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

async function bookSession(
  startHour: number,
  payment_source: 'covered' | 'self_pay' = 'covered',
): Promise<string> {
  const { body } = await book(care, tenant, {
    practitioner_id: practitioner,
    ...slot(startHour),
    payment_source,
  });
  return body.session_id;
}

const deliver = (session_id: string, options: object = {}) =>
  care.request('deliverSession', { tenant, params: { session_id }, ...options });
const read = (session_id: string) => care.request('getSession', { tenant, params: { session_id } });
const moveClockTo = (instant: string, offsetMs: number) =>
  care.database.setClockOffset(Date.parse(instant) + offsetMs - Date.now());

test('a session starts and is delivered by the clock, reserved or confirmed', async () => {
  const sessions = [await bookSession(10, 'covered'), await bookSession(11, 'self_pay')];
  const statuses = () => Promise.all(sessions.map(async (id) => (await read(id)).body.status));
  expect(await statuses()).toEqual(['reserved', 'confirmed']);
  await moveClockTo(slot(10).starts_at, 30 * MINUTE_MS);
  expect(await statuses()).toEqual(['in_progress', 'confirmed']);
  await moveClockTo(slot(11).starts_at, 30 * MINUTE_MS);
  expect(await statuses()).toEqual(['delivered', 'in_progress']);
  await moveClockTo(slot(12).starts_at, 0);
  expect(await statuses()).toEqual(['delivered', 'delivered']);
});

describe('the sandbox helper', () => {
  test('delivers a session before or during it, and keeps its times', async () => {
    const before = await bookSession(10);
    const { starts_at, ends_at } = slot(10);
    expect(await deliver(before)).toMatchObject({
      status: 200,
      body: { status: 'delivered', starts_at, ends_at },
    });
    expect((await read(before)).body.status).toBe('delivered');
    const during = await bookSession(11);
    await moveClockTo(slot(11).starts_at, 30 * MINUTE_MS);
    expect(await deliver(during)).toMatchObject({ status: 200, body: { status: 'delivered' } });
  });

  test('does not change the booking or release its slot', async () => {
    const session = await bookSession(10);
    await deliver(session);
    const { data } = (await care.request('listBookings', { tenant })).body;
    expect(data).toMatchObject([{ session_id: session, status: 'reserved' }]);
    const again = await book(care, tenant, { practitioner_id: practitioner, ...slot(10) });
    expect(again).toMatchObject({ status: 409, code: 'slot_unavailable' });
  });

  test('rejects a session that was delivered, by the helper or by the clock, or cancelled', async () => {
    const [helped, ended, cancelled] = [await bookSession(10), await bookSession(11), await bookSession(12)];
    await deliver(helped);
    const { data } = (await care.request('listBookings', { tenant })).body;
    const { id } = data.find((booking: { session_id: string }) => booking.session_id === cancelled);
    await care.request('cancelBooking', { tenant, params: { booking_id: id }, body: { reason_code: 'ill' } });
    await moveClockTo(slot(12).starts_at, 0);
    for (const session of [helped, ended, cancelled]) {
      expect(await deliver(session)).toMatchObject({ status: 409, code: 'invalid_state' });
    }
  });

  test('needs no idempotency key, and replays the response of a key', async () => {
    expect(await deliver(await bookSession(10), { key: null })).toMatchObject({ status: 200 });
    const session = await bookSession(11);
    const first = await deliver(session, { key: 'deliver-this-one' });
    expect(await deliver(session, { key: 'deliver-this-one' })).toMatchObject({
      status: 200,
      replayed: true,
      text: first.text,
    });
  });

  test("does not exist in production, and does not find an unknown session or another project's session", async () => {
    const session = await bookSession(10);
    for (const options of [{ environment: 'production' }, { tenant: newTenant() }]) {
      expect(await deliver(session, options)).toMatchObject({ status: 404, code: 'resource_not_found' });
    }
    expect(await deliver('ses_none')).toMatchObject({ status: 404 });
    expect((await read(session)).body.status).toBe('reserved');
  });
});

test('the list filters by the current status of each session', async () => {
  const sessions: string[] = [];
  for (const hour of [8, 9, 10, 11, 12, 13]) {
    sessions.push(await bookSession(hour, hour % 2 === 0 ? 'covered' : 'self_pay'));
  }
  await deliver(sessions[5] ?? '');
  const { data: bookings } = (await care.request('listBookings', { tenant })).body;
  const cancelled = bookings.find((booking: { session_id: string }) => booking.session_id === sessions[4]);
  await care.request('cancelBooking', {
    tenant,
    params: { booking_id: cancelled.id },
    body: { reason_code: 'ill' },
  });

  const seen = new Set<SessionStatus>();
  for (const hour of [7, 8, 9, 10, 11, 12, 13, 14]) {
    await moveClockTo(slot(hour).starts_at, 0);
    const { data: all } = (await care.request('listSessions', { tenant })).body;
    expect(all.map(({ id }: { id: string }) => id)).toEqual([...sessions].reverse());
    for (const status of sessionStatuses) {
      const { data } = (await care.request('listSessions', { tenant, query: { status } })).body;
      expect(data).toEqual(all.filter((session: { status: SessionStatus }) => session.status === status));
      if (data.length > 0) seen.add(status);
    }
  }
  expect([...seen].sort()).toEqual([...sessionStatuses].sort());
});
