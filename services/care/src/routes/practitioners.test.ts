import { PAGE_SIZE } from '@carecover/contract';
import type { Tenant } from '@carecover/domain';
import { fc } from '@carecover/testing';
import { testSize } from '@carecover/testing/servers';
import { countStatements, newTenant, testCaller } from '@carecover/testing/services';
import { SYNTHETIC_PRACTITIONERS } from '../directory/synthetic-directory';
import { ALL_HOURS, addPractitioner, book } from '../testing/fixtures';
import { startTestCare, type TestCare } from '../testing/test-care';
import { listSlots } from '../use-cases/list-slots';

let care: TestCare;

beforeAll(async () => {
  care = await startTestCare();
});
afterAll(() => care.stop());

async function listAll(tenant: Tenant): Promise<{ id: string; name: string }[]> {
  const all: { id: string; name: string }[] = [];
  for (let more = true; more; ) {
    const last = all.at(-1);
    const query: Record<string, string> = {
      limit: '100',
      ...(last === undefined ? {} : { starting_after: last.id }),
    };
    const { body } = await care.request('listPractitioners', { tenant, query });
    all.push(...body.data);
    more = body.has_more;
  }
  return all;
}

describe('a new sandbox project', () => {
  test('has 200 synthetic practitioners, each with weekly hours', async () => {
    const tenant = newTenant();
    const all = await listAll(tenant);
    expect(new Set(all.map(({ id }) => id)).size).toBe(SYNTHETIC_PRACTITIONERS);
    for (const { id } of all.slice(0, 5)) {
      const read = await care.request('getPractitioner', { tenant, params: { practitioner_id: id } });
      expect(read).toMatchObject({ status: 200, body: all.find((known) => known.id === id) });
      const hours = await care.request('getPractitionerAvailability', {
        tenant,
        params: { practitioner_id: id },
      });
      expect(hours).toMatchObject({ status: 200, body: { practitioner_id: id } });
      expect(hours.body.weekly_hours.length).toBeGreaterThan(0);
    }
  });

  test('gets them once when the first lists are concurrent', async () => {
    const tenant = newTenant();
    const lists = await Promise.all(
      Array.from({ length: 20 }, () => care.request('listPractitioners', { tenant })),
    );
    for (const list of lists) expect(list.body).toEqual(lists[0]?.body);
    expect(await listAll(tenant)).toHaveLength(SYNTHETIC_PRACTITIONERS);
  });

  test('has the same practitioners as other projects, with its own IDs', async () => {
    const [one, other] = [await listAll(newTenant()), await listAll(newTenant())];
    expect(other.map(({ name }) => name)).toEqual(one.map(({ name }) => name));
    expect(other[0]?.id).not.toBe(one[0]?.id);
    const foreign = { tenant: newTenant(), params: { practitioner_id: one[0]?.id ?? '' } };
    expect(await care.request('getPractitioner', foreign)).toMatchObject({
      status: 404,
      code: 'resource_not_found',
    });
    expect(await care.request('getPractitionerAvailability', foreign)).toMatchObject({ status: 404 });
  });

  test('has only the imported directory if one was imported', async () => {
    const tenant = newTenant();
    const id = await addPractitioner(care.sql, tenant);
    expect((await listAll(tenant)).map((practitioner) => practitioner.id)).toEqual([id]);
  });
});

test('a production project has no practitioners until an operator imports a directory', async () => {
  const tenant = newTenant();
  const list = () => care.request('listPractitioners', { tenant, environment: 'production' });
  expect((await list()).body.data).toEqual([]);
  const id = await addPractitioner(care.sql, tenant);
  expect((await list()).body.data).toMatchObject([{ id, session_fee: { amount: 450_000, currency: 'KES' } }]);
});

test('availability returns the weekly hours of the directory', async () => {
  const tenant = newTenant();
  const id = await addPractitioner(care.sql, tenant, { timezone: 'Asia/Kathmandu' });
  const { body } = await care.request('getPractitionerAvailability', {
    tenant,
    params: { practitioner_id: id },
  });
  expect(body).toEqual({
    object: 'availability',
    practitioner_id: id,
    timezone: 'Asia/Kathmandu',
    weekly_hours: ALL_HOURS,
  });
});

describe('free slots', () => {
  const DAY_MS = 86_400_000;
  const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
  const query = (changes: Record<string, string> = {}) => ({
    from: inDays(0),
    to: inDays(7),
    duration_minutes: '50',
    format: 'online',
    ...changes,
  });
  const list = (tenant: Tenant, id: string, changes?: Record<string, string>) =>
    care.request('listPractitionerSlots', {
      tenant,
      params: { practitioner_id: id },
      query: query(changes),
    });

  test('are listed in pages, earliest first, with the fields of a booking', async () => {
    const tenant = newTenant();
    const id = await addPractitioner(care.sql, tenant, { timezone: 'Asia/Kathmandu' });
    const to = inDays(2);
    const { body: all } = await list(tenant, id, { to, limit: '100' });
    const { body: first } = await list(tenant, id, { to, limit: '2' });
    expect(all.has_more).toBe(false);
    expect(first).toEqual({ object: 'list', data: all.data.slice(0, 2), has_more: true });
    expect(first.data[0]).toMatchObject({
      object: 'slot',
      practitioner_id: id,
      timezone: 'Asia/Kathmandu',
      format: 'online',
    });
    const from = first.data[1].ends_at;
    expect((await list(tenant, id, { from, to, limit: '100' })).body.data).toEqual(all.data.slice(2));
  });

  test('are at most 20 without a limit', async () => {
    const tenant = newTenant();
    const id = await addPractitioner(care.sql, tenant);
    const { body: all } = await list(tenant, id, { limit: '100' });
    expect(all.data.length).toBeGreaterThan(PAGE_SIZE.default);
    const { status, body } = await list(tenant, id);
    expect(status).toBe(200);
    expect(body).toEqual({ object: 'list', data: all.data.slice(0, PAGE_SIZE.default), has_more: true });
  });

  test('are 404 for a practitioner of another project and outside the resources of a token, as for an unknown one', async () => {
    const tenant = newTenant();
    const id = await addPractitioner(care.sql, tenant);
    const unknown = await list(tenant, 'prc_unknown');
    expect(unknown).toMatchObject({ status: 404, code: 'resource_not_found' });
    const narrowed = (resourceIds: string[]) =>
      care.request('listPractitionerSlots', {
        tenant,
        params: { practitioner_id: id },
        query: query(),
        resourceIds,
      });
    for (const response of [await list(newTenant(), id), await narrowed(['prc_other'])]) {
      expect([response.status, response.text]).toEqual([404, unknown.text]);
    }
    expect((await narrowed([id])).status).toBe(200);
  });

  test('require one statement', async () => {
    const tenant = newTenant();
    const id = await addPractitioner(care.sql, tenant);
    const counting = countStatements(care.database.url('care'));
    const call = { caller: testCaller(tenant), params: { practitioner_id: id } };
    const parsed = { ...query(), duration_minutes: 50, format: 'online' as const, limit: 20 };
    const cost = await counting.costOf(() => listSlots(counting.sql, { ...call, query: parsed } as never));
    await counting.sql.end();
    expect(cost).toEqual({ statements: 1, roundTrips: 1 });
  });

  const formats = ['online', 'phone'] as const;
  const step = fc.record({
    fromHour: fc.integer({ min: 0, max: 24 * 25 }),
    hours: fc.integer({ min: 1, max: 24 * 6 }),
    minutes: fc.integer({ min: 5, max: 480 }),
    format: fc.constantFrom(...formats),
    pick: fc.nat(),
    isCancelled: fc.boolean(),
  });

  test(
    'can each be booked once; a cancellation makes the time free',
    async () => {
      let booked = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 10 }), async (steps) => {
          const tenant = newTenant();
          // New York changes to daylight saving time within the requested period.
          const start = Date.parse('2027-03-01T00:00:00Z');
          await care.database.setClockOffset(start - Date.now());
          const id = await addPractitioner(care.sql, tenant, {
            timezone: 'America/New_York',
            weeklyHours: [1, 3, 6].flatMap((weekday) => [
              { weekday, start: '20:10', end: '23:59', formats: ['online'] },
              { weekday: (weekday + 1) % 7, start: '00:00', end: '03:30', formats: [...formats] },
            ]),
          });
          for (const { fromHour, hours, minutes, format, pick, isCancelled } of steps) {
            const from = start + fromHour * 3_600_000;
            const period = {
              from: new Date(from).toISOString(),
              to: new Date(from + hours * 3_600_000).toISOString(),
              duration_minutes: String(minutes),
              format,
              limit: '100',
            };
            const { data } = (await list(tenant, id, period)).body;
            const slot = data[pick % Math.max(1, data.length)];
            if (slot === undefined) continue;
            const { object: _object, timezone: _timezone, ...input } = slot;
            const response = await book(care, tenant, input);
            expect(response).toMatchObject({ status: 201, body: input });
            expect(await book(care, tenant, input)).toMatchObject({ status: 409, code: 'slot_unavailable' });
            expect((await list(tenant, id, period)).body.data).not.toContainEqual(slot);
            booked++;
            if (!isCancelled) continue;
            await care.request('cancelBooking', {
              tenant,
              params: { booking_id: response.body.id },
              body: { reason_code: 'ill' },
            });
            expect((await list(tenant, id, period)).body.data).toEqual(data);
          }
        }),
        { numRuns: testSize({ ci: 10, soak: 200 }) },
      );
      await care.database.setClockOffset(0);
      expect(booked).toBeGreaterThan(0);
    },
    testSize({ ci: undefined, soak: 1_000_000 }),
  );
});

test('a cursor that names no practitioner is rejected', async () => {
  const response = await care.request('listPractitioners', { query: { starting_after: 'prc_none' } });
  expect(response).toMatchObject({ status: 400, code: 'validation_failed' });
});
