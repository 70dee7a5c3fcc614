import type { Tenant } from '@carecover/platform';
import { newTenant } from '@carecover/platform/testing';
import { SYNTHETIC_PRACTITIONERS } from '../directory/synthetic-directory';
import { ALL_HOURS, addPractitioner } from '../testing/fixtures';
import { startTestCare, type TestCare } from '../testing/test-care';

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

test('a cursor that names no practitioner is rejected', async () => {
  const response = await care.request('listPractitioners', { query: { starting_after: 'prc_none' } });
  expect(response).toMatchObject({ status: 400, code: 'validation_failed' });
});
