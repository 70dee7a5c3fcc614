import { RECORDED_SESSION_MS, type Session } from '@carecover/contract';
import type { Tenant } from '@carecover/domain';
import { type Answered, newTenant } from '@carecover/testing/services';
import { careActivities } from '../activities';
import { addPractitioner, book, pastHour, record, slot } from '../testing/fixtures';
import { startTestCare, type TestCare } from '../testing/test-care';

let care: TestCare;
let tenant: Tenant;
let practitioner_id: string;

beforeAll(async () => {
  care = await startTestCare();
});
afterAll(() => care.stop());
beforeEach(async () => {
  tenant = newTenant();
  practitioner_id = await addPractitioner(care.sql, tenant);
  await care.database.setClockOffset(0);
});

const recordOwn = (input: Parameters<typeof record>[2] = {}, options = {}) =>
  record(care, tenant, { ...pastHour(), practitioner_id, ...input }, options);
const list = async (operation: 'listSessions' | 'listBookings', query: object = {}) =>
  (await care.request(operation, { tenant, query: { limit: '100', ...query } })).body.data;
const count = (responses: readonly Answered[], status: number, code?: string) =>
  responses.filter((response) => response.status === status && response.code === code).length;

describe('a recorded session', () => {
  test('of the past is delivered at once, and has a booking of its own', async () => {
    const times = pastHour();
    const { status, body } = await recordOwn({ ...times, format: 'in_person' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^ses_/),
      object: 'session',
      practitioner_id,
      ...times,
      timezone: 'UTC',
      format: 'in_person',
      status: 'delivered',
      payment_source: 'covered',
    });
    const read = await care.request('getSession', { tenant, params: { session_id: body.id } });
    expect(read.body).toEqual(body);
    await recordOwn();
    expect(await list('listBookings', { session_id: body.id })).toMatchObject([
      { session_id: body.id, ...times, status: 'reserved' },
    ]);
    expect(await list('listBookings')).toHaveLength(2);
  });

  test('that a person pays for has a confirmed booking', async () => {
    await recordOwn({ payment_source: 'self_pay' });
    expect(await list('listBookings')).toMatchObject([{ status: 'confirmed' }]);
  });

  test('of the future starts and is delivered by the clock', async () => {
    const { body } = await recordOwn(slot(10));
    expect(body.status).toBe('reserved');
    const read = async (at: string) => {
      await care.database.setClockOffset(Date.parse(at) - Date.now());
      return (await care.request('getSession', { tenant, params: { session_id: body.id } })).body.status;
    };
    expect(await read(slot(10).starts_at)).toBe('in_progress');
    expect(await read(slot(10).ends_at)).toBe('delivered');
  });

  test('takes no slot: it can overlap a booking and another recorded session, and its time can be booked', async () => {
    const before = await book(care, tenant, { practitioner_id, ...slot(10) });
    const responses = [
      before,
      await recordOwn(slot(10)),
      await recordOwn(slot(10)),
      await recordOwn(slot(11)),
    ];
    expect(responses.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    const query = {
      from: slot(10).starts_at,
      to: slot(12).ends_at,
      duration_minutes: '60',
      format: 'online',
    };
    const { body } = await care.request('listPractitionerSlots', {
      tenant,
      params: { practitioner_id },
      query,
    });
    expect(body.data.map(({ starts_at }: { starts_at: string }) => starts_at)).toEqual([
      slot(11).starts_at,
      slot(12).starts_at,
    ]);
    expect((await book(care, tenant, { practitioner_id, ...slot(11) })).status).toBe(201);
    expect((await book(care, tenant, { practitioner_id, ...slot(11) })).code).toBe('slot_unavailable');
  });

  test('repeated under its key is replayed and recorded once', async () => {
    const options = { key: 'one-session-once' };
    const times = pastHour();
    const first = await recordOwn(times, options);
    const again = await recordOwn(times, options);
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.body).toEqual(first.body);
    expect((await recordOwn({ ...times, format: 'phone' }, options)).code).toBe('idempotency_conflict');
    expect(await list('listSessions')).toHaveLength(1);
  });

  test('is confirmed by an approval after its start, and can be cancelled only before', async () => {
    const { body } = await recordOwn();
    const [{ id: bookingId }] = await list('listBookings');
    await careActivities(care.sql).confirmBooking({
      tenant,
      bookingId,
      preauthorizationId: 'preauth_1',
      approvalId: 'cmd_1',
    });
    expect(await list('listBookings')).toMatchObject([{ status: 'confirmed', session_id: body.id }]);
    const cancelled = await care.request('cancelBooking', {
      tenant,
      params: { booking_id: bookingId },
      body: { reason_code: 'entered_twice' },
    });
    expect(cancelled.code).toBe('invalid_state');
  });
});

describe('a recording is rejected', () => {
  test('if the session ended more than 400 days ago', async () => {
    const now = Date.now();
    await care.database.stopClock(now);
    const codeOf = async (endsAtMs: number) =>
      (
        await recordOwn({
          starts_at: new Date(endsAtMs - 60_000).toISOString(),
          ends_at: new Date(endsAtMs).toISOString(),
        })
      ).code;
    expect(await codeOf(now - RECORDED_SESSION_MS - 1)).toBe('session_too_old');
    expect(await codeOf(now - RECORDED_SESSION_MS)).toBeUndefined();
  });

  test('if the practitioner is not of the project', async () => {
    const foreign = await addPractitioner(care.sql, newTenant());
    expect((await recordOwn({ practitioner_id: foreign })).code).toBe('resource_not_found');
    expect((await recordOwn({ practitioner_id: 'prc_unknown' })).code).toBe('resource_not_found');
  });
});

describe('the external reference', () => {
  test('is unique in the project in its normal form, and finds the session without a difference of case', async () => {
    const { body } = await recordOwn({ external_reference: 'Encounter 7' });
    await recordOwn({ external_reference: 'Encounter 8' });
    await recordOwn();
    expect((await recordOwn({ external_reference: ' Encounter\u00a07' })).code).toBe(
      'duplicate_session_reference',
    );
    expect(await list('listSessions', { external_reference: 'encounter7' })).toEqual([body]);
    expect(await list('listSessions', { external_reference: 'encounter 7', status: 'delivered' })).toEqual([
      body,
    ]);
    expect(await list('listSessions', { external_reference: 'encounter 9' })).toEqual([]);
    const other = newTenant();
    const practitioner = await addPractitioner(care.sql, other);
    const elsewhere = await record(care, other, {
      ...pastHour(),
      practitioner_id: practitioner,
      external_reference: 'Encounter 7',
    });
    expect(elsewhere.status).toBe(201);
  });

  test('must have a visible character', async () => {
    expect((await recordOwn({ external_reference: '\u200b\u200b\u200b' })).code).toBe('validation_failed');
  });

  test('of twenty concurrent recordings belongs to one of them', async () => {
    const external_reference = 'encounter-9';
    const responses = await Promise.all(Array.from({ length: 20 }, () => recordOwn({ external_reference })));
    expect(count(responses, 201)).toBe(1);
    expect(count(responses, 409, 'duplicate_session_reference')).toBe(19);
    expect(await list('listSessions')).toHaveLength(1);
  });
});

test('the lists of a period find sessions that were recorded after it, also if there are many', async () => {
  const sessions: Session[] = [];
  for (let index = 0; index < 105; index += 1)
    sessions.push((await recordOwn(pastHour(index * 60_000))).body);
  await book(care, tenant, { practitioner_id, ...slot(10) });
  const newest = sessions.toReversed().slice(0, 100);
  const period = { starts_before: new Date().toISOString() };
  expect(await list('listSessions', period)).toEqual(newest);
  const bookings: { session_id: string }[] = await list('listBookings', period);
  expect(bookings.map(({ session_id }) => session_id)).toEqual(newest.map(({ id }) => id));
});
