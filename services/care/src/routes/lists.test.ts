import type { Tenant } from '@carecover/domain';
import { newTenant } from '@carecover/testing/services';
import { addPractitioner, book, slot } from '../testing/fixtures';
import { startTestCare, type TestCare } from '../testing/test-care';

let care: TestCare;
let tenant: Tenant;
let practitionerId: string;
/** The bookings of the test, in the order of their creation. */
const bookings: { id: string; session_id: string }[] = [];

beforeAll(async () => {
  care = await startTestCare();
  tenant = newTenant();
  practitionerId = await addPractitioner(care.sql, tenant);
  for (const hour of [0, 1, 2, 3, 4]) {
    const payment_source = hour < 2 ? 'self_pay' : 'covered';
    const { body } = await book(care, tenant, {
      practitioner_id: practitionerId,
      ...slot(hour),
      payment_source,
    });
    bookings.push(body);
  }
  await care.request('cancelBooking', {
    tenant,
    params: { booking_id: bookings[4]?.id ?? '' },
    body: { reason_code: 'person_unavailable' },
  });
});
afterAll(() => care.stop());

const newestFirst = (field: 'id' | 'session_id') => bookings.map((booking) => booking[field]).reverse();

describe.each([
  ['listBookings', 'id'],
  ['listSessions', 'session_id'],
] as const)('%s', (operation, field) => {
  const list = (query: Record<string, string>, options: object = {}) =>
    care.request(operation, { tenant, query, ...options });
  const idsOf = async (query: Record<string, string>) =>
    (await list(query)).body.data.map(({ id }: { id: string }) => id);

  test('returns the newest first', async () => {
    expect((await list({})).body).toMatchObject({ object: 'list', has_more: false });
    expect(await idsOf({})).toEqual(newestFirst(field));
  });

  test('returns every resource once over its pages', async () => {
    const ids = newestFirst(field);
    const first = await list({ limit: '2' });
    expect(first.body.has_more).toBe(true);
    const second = await list({ limit: '2', starting_after: ids[1] ?? '' });
    expect(second.body.has_more).toBe(true);
    const third = await list({ limit: '2', starting_after: ids[3] ?? '' });
    expect(third.body.has_more).toBe(false);
    const read = [first, second, third].flatMap(({ body }) => body.data.map(({ id }: { id: string }) => id));
    expect(read).toEqual(ids);
    expect((await list({ limit: '5' })).body.has_more).toBe(false);
  });

  test('filters by practitioner, also with a status', async () => {
    const ids = newestFirst(field);
    const practitioner_id = await addPractitioner(care.sql, tenant, { reference: 'without-bookings' });
    expect(await idsOf({ practitioner_id })).toEqual([]);
    expect(await idsOf({ practitioner_id: practitionerId })).toEqual(ids);
    expect(await idsOf({ practitioner_id: practitionerId, status: 'reserved' })).toEqual(ids.slice(1, 3));
    const { body } = await list({ practitioner_id: practitionerId }, { tenant: newTenant() });
    expect(body.data).toEqual([]);
  });

  test('filters by start, both ends exclusive, also with a status', async () => {
    const ids = newestFirst(field);
    const { starts_at } = slot(2);
    expect(await idsOf({ starts_after: starts_at })).toEqual(ids.slice(0, 2));
    expect(await idsOf({ starts_before: starts_at })).toEqual(ids.slice(3));
    expect(await idsOf({ starts_after: starts_at, starts_before: slot(4).starts_at })).toEqual([ids[1]]);
    expect(await idsOf({ starts_after: starts_at, starts_before: starts_at })).toEqual([]);
    expect(await idsOf({ starts_after: starts_at, status: 'cancelled' })).toEqual(ids.slice(0, 1));
    const { body } = await list({ starts_after: starts_at }, { tenant: newTenant() });
    expect(body.data).toEqual([]);
  });

  test('filters by status', async () => {
    const ids = newestFirst(field);
    expect(await idsOf({ status: 'cancelled' })).toEqual(ids.slice(0, 1));
    expect(await idsOf({ status: 'reserved' })).toEqual(ids.slice(1, 3));
    expect(await idsOf({ status: 'confirmed' })).toEqual(ids.slice(3));
  });

  test('filters by creation time, both ends exclusive', async () => {
    const [row] = await care.sql<{ created_at: Date }[]>`
      select created_at from bookings where id = ${bookings[2]?.id ?? ''}`;
    const created = row?.created_at.toISOString() ?? '';
    const ids = newestFirst(field);
    expect(await idsOf({ created_after: created })).toEqual(ids.slice(0, 2));
    expect(await idsOf({ created_before: created })).toEqual(ids.slice(3));
    expect(await idsOf({ created_after: created, created_before: created })).toEqual([]);
  });

  test('is empty for another project, and rejects cursors of another project', async () => {
    const otherTenant = newTenant();
    expect((await list({}, { tenant: otherTenant })).body).toEqual({
      object: 'list',
      data: [],
      has_more: false,
    });
    const cursor = { starting_after: newestFirst(field)[0] ?? '' };
    expect(await list(cursor, { tenant: otherTenant })).toMatchObject({
      status: 400,
      code: 'validation_failed',
    });
  });

  test('shows a token that is limited to resources only those resources', async () => {
    const [one = ''] = newestFirst(field);
    const { body } = await list({}, { resourceIds: [one, 'bkg_none'] });
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([one]);
    const elsewhere = await list({ starting_after: newestFirst(field)[1] ?? '' }, { resourceIds: [one] });
    expect(elsewhere).toMatchObject({ status: 400, code: 'validation_failed' });
  });
});
