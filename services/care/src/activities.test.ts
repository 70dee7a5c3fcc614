import { newId, type Tenant } from '@carecover/domain';
import { ServiceClient, serviceCaller } from '@carecover/http';
import { newTenant, signerOf, testCaller } from '@carecover/testing/services';
import { careActivities } from './activities';
import { addPractitioner, book, pastHour, record, slot } from './testing/fixtures';
import { startTestCare, type TestCare } from './testing/test-care';

let care: TestCare;
let tenant: Tenant;
let booking: { id: string; session_id: string; practitioner_id: string };

beforeAll(async () => {
  care = await startTestCare();
});
afterAll(() => care.stop());
beforeEach(async () => {
  tenant = newTenant();
  await care.database.setClockOffset(0);
  const practitioner_id = await addPractitioner(care.sql, tenant);
  booking = (await book(care, tenant, { practitioner_id, ...slot(10) })).body;
});

const approvalOf = (approvalId: string) => ({
  tenant,
  bookingId: booking.id,
  preauthorizationId: 'preauth_1',
  approvalId,
});
const confirm = (approvalId: string) => careActivities(care.sql).confirmBooking(approvalOf(approvalId));
const withdraw = (approvalId: string) =>
  careActivities(care.sql).withdrawConfirmation(approvalOf(approvalId));
const statusOf = async () =>
  (await care.request('getBooking', { tenant, params: { booking_id: booking.id } })).body.status;
const cancel = () =>
  care.request('cancelBooking', { tenant, params: { booking_id: booking.id }, body: { reason_code: 'ill' } });
const moveClockTo = (instant: string) => care.database.setClockOffset(Date.parse(instant) - Date.now());

describe('confirmBooking', () => {
  test('confirms the booking and its session; a repeated request changes nothing', async () => {
    await confirm('cmd_1');
    expect(await statusOf()).toBe('confirmed');
    const session = await care.request('getSession', { tenant, params: { session_id: booking.session_id } });
    expect(session.body.status).toBe('confirmed');
    await moveClockTo(slot(10).starts_at);
    await confirm('cmd_1');
    expect(await statusOf()).toBe('confirmed');
  });

  test('is rejected after a cancellation, also for an approval that confirmed before', async () => {
    await confirm('cmd_1');
    await cancel();
    await expect(confirm('cmd_1')).rejects.toMatchObject({ code: 'invalid_state' });
  });

  test('is rejected after the start of the session', async () => {
    await moveClockTo(slot(10).starts_at);
    await expect(confirm('cmd_1')).rejects.toMatchObject({ code: 'invalid_state' });
    expect(await statusOf()).toBe('reserved');
  });

  test("does not find another project's booking", async () => {
    const foreign = { ...approvalOf('cmd_1'), tenant: newTenant() };
    await expect(careActivities(care.sql).confirmBooking(foreign)).rejects.toMatchObject({
      code: 'resource_not_found',
    });
    await careActivities(care.sql).withdrawConfirmation(foreign);
    await confirm('cmd_1');
    expect(await statusOf()).toBe('confirmed');
  });
});

describe('withdrawConfirmation', () => {
  test('returns the booking to reserved once; another approval can confirm it then', async () => {
    await confirm('cmd_1');
    await withdraw('cmd_1');
    expect(await statusOf()).toBe('reserved');
    await confirm('cmd_2');
    await withdraw('cmd_1');
    expect(await statusOf()).toBe('confirmed');
  });

  test('rejects a confirm request that arrives after the withdrawal', async () => {
    await withdraw('cmd_1');
    await expect(confirm('cmd_1')).rejects.toMatchObject({ code: 'invalid_state' });
    expect(await statusOf()).toBe('reserved');
  });

  test('does not change a booking that another approval confirms', async () => {
    await confirm('cmd_1');
    await confirm('cmd_2');
    await withdraw('cmd_2');
    expect(await statusOf()).toBe('confirmed');
  });

  test("returns the booking to reserved after its session's start and end too", async () => {
    for (const instant of [slot(10).starts_at, slot(10).ends_at]) {
      await care.database.setClockOffset(0);
      await confirm(`cmd_${instant}`);
      await moveClockTo(instant);
      await withdraw(`cmd_${instant}`);
      expect(await statusOf()).toBe('reserved');
    }
  });

  test('does not change a cancelled booking', async () => {
    await confirm('cmd_1');
    await cancel();
    await withdraw('cmd_1');
    expect(await statusOf()).toBe('cancelled');
  });
});

describe('sessionForClaim', () => {
  const session = (of = tenant) =>
    careActivities(care.sql).sessionForClaim({ tenant: of, sessionId: booking.session_id });

  test('returns the session with its booking, times and current status', async () => {
    const { starts_at, ends_at } = slot(10);
    expect(await session()).toEqual({
      sessionId: booking.session_id,
      bookingId: booking.id,
      practitionerId: booking.practitioner_id,
      startsAt: starts_at,
      endsAt: ends_at,
      status: 'reserved',
      paymentSource: 'covered',
      recorded: null,
    });
    await moveClockTo(ends_at);
    expect(await session()).toMatchObject({ status: 'delivered' });
  });

  test('says by whom and when a session was recorded outside the calendar', async () => {
    const recorded = await record(care, tenant, { ...pastHour(), practitioner_id: booking.practitioner_id });
    const { status, recorded: recording } = await careActivities(care.sql).sessionForClaim({
      tenant,
      sessionId: recorded.body.id,
    });
    expect(status).toBe('delivered');
    expect(recording).toEqual({ by: expect.any(String), at: expect.any(String) });
    expect(recording?.by).not.toBe('');
  });

  test("does not find another project's session", async () => {
    await expect(session(newTenant())).rejects.toMatchObject({ code: 'resource_not_found' });
  });
});

test("benefits reads a booking's facts only in the caller's project", async () => {
  const client = new ServiceClient('care', [care.address], signerOf('benefits'));
  const { starts_at, ends_at } = slot(10);
  const path = `/bookings/${booking.id}`;
  const as = (of: Tenant) => serviceCaller(of, 'sandbox', 'benefits', 'req_1');
  expect(await client.get(as(tenant), path)).toEqual({
    bookingId: booking.id,
    sessionId: booking.session_id,
    startsAt: starts_at,
    endsAt: ends_at,
    status: 'reserved',
    paymentSource: 'covered',
    isRecorded: false,
  });
  await expect(client.get(as(newTenant()), path)).rejects.toMatchObject({
    code: 'resource_not_found',
  });
  await client.close();
});

test('a request without the signed context is rejected', async () => {
  const response = await fetch(`${care.address}/internal/bookings/${booking.id}`);
  expect(response.status).toBe(401);
});

describe('recordSessions', () => {
  const lineOf = (key: string, changes: object = {}) => ({
    key,
    session: {
      practitioner_id: booking.practitioner_id,
      ...pastHour(),
      format: 'online' as const,
      payment_source: 'covered' as const,
      ...changes,
    },
  });
  const recordAll = (sessions: ReturnType<typeof lineOf>[], isDryRun = false) =>
    careActivities(care.sql).recordSessions({ tenant, caller: testCaller(tenant), isDryRun, sessions });
  const count = async () => {
    const { body } = await care.request('listSessions', { tenant, query: { limit: '100' } });
    return body.data.length;
  };

  test('records each session once per key; a rejected one does not affect the others', async () => {
    const before = await count();
    const reference = newId('encounter-');
    const lines = [
      lineOf(newId('key_'), { external_reference: reference }),
      lineOf(newId('key_'), { external_reference: reference }),
      lineOf(newId('key_'), { practitioner_id: 'prc_unknown' }),
      lineOf(newId('key_')),
    ];
    const outcomes = await recordAll(lines);
    expect(outcomes).toMatchObject([
      { sessionId: expect.any(String) },
      {
        code: 'duplicate_session_reference',
        message: expect.stringMatching(/^\/external_reference /),
      },
      { code: 'resource_not_found', message: expect.stringMatching(/^\/practitioner_id /) },
      { sessionId: expect.any(String) },
    ]);
    expect(await recordAll(lines)).toEqual(outcomes);
    expect(await count()).toBe(before + 2);
  });

  test('in a dry run decides the sessions, and records none', async () => {
    const before = await count();
    const outcomes = await recordAll(
      [lineOf(newId('key_')), lineOf(newId('key_'), { practitioner_id: 'prc_unknown' })],
      true,
    );
    expect(outcomes).toMatchObject([{ sessionId: expect.any(String) }, { code: 'resource_not_found' }]);
    expect(await count()).toBe(before);
  });
});
