import { newTenant } from '@carecover/local/testing';
import type { Tenant } from '@carecover/platform';
import { SYNTHETIC_PRACTITIONERS } from '../directory/synthetic-directory';
import { ALWAYS, givePractitioner } from '../testing/fixtures';
import { startTestCare, type TestCare } from '../testing/test-care';

let care: TestCare;

beforeAll(async () => {
  care = await startTestCare();
});
afterAll(() => care.stop());

async function everyone(tenant: Tenant): Promise<{ id: string; name: string }[]> {
  const all: { id: string; name: string }[] = [];
  for (let more = true; more; ) {
    const last = all.at(-1);
    const query: Record<string, string> = {
      limit: '100',
      ...(last === undefined ? {} : { starting_after: last.id }),
    };
    const { body } = await care.ask('listPractitioners', { tenant, query });
    all.push(...body.data);
    more = body.has_more;
  }
  return all;
}

describe('a new sandbox project', () => {
  test('has 200 synthetic practitioners, each with weekly hours', async () => {
    const tenant = newTenant();
    const all = await everyone(tenant);
    expect(new Set(all.map(({ id }) => id)).size).toBe(SYNTHETIC_PRACTITIONERS);
    for (const { id } of all.slice(0, 5)) {
      const read = await care.ask('getPractitioner', { tenant, params: { practitioner_id: id } });
      expect(read).toMatchObject({ status: 200, body: all.find((known) => known.id === id) });
      const hours = await care.ask('getPractitionerAvailability', {
        tenant,
        params: { practitioner_id: id },
      });
      expect(hours).toMatchObject({ status: 200, body: { practitioner_id: id } });
      expect(hours.body.weekly_hours.length).toBeGreaterThan(0);
    }
  });

  test('gets them once, however many look first at once', async () => {
    const tenant = newTenant();
    const looks = await Promise.all(
      Array.from({ length: 20 }, () => care.ask('listPractitioners', { tenant })),
    );
    for (const look of looks) expect(look.body).toEqual(looks[0]?.body);
    expect(await everyone(tenant)).toHaveLength(SYNTHETIC_PRACTITIONERS);
  });

  test('has the same ones as every other, under ids of its own', async () => {
    const [one, other] = [await everyone(newTenant()), await everyone(newTenant())];
    expect(other.map(({ name }) => name)).toEqual(one.map(({ name }) => name));
    expect(other[0]?.id).not.toBe(one[0]?.id);
    const strange = { tenant: newTenant(), params: { practitioner_id: one[0]?.id ?? '' } };
    expect(await care.ask('getPractitioner', strange)).toMatchObject({
      status: 404,
      code: 'resource_not_found',
    });
    expect(await care.ask('getPractitionerAvailability', strange)).toMatchObject({ status: 404 });
  });

  test('keeps to the directory that was imported, if one was', async () => {
    const tenant = newTenant();
    const id = await givePractitioner(care.sql, tenant);
    expect((await everyone(tenant)).map((practitioner) => practitioner.id)).toEqual([id]);
  });
});

test('a production project has nobody until an operator imports a directory', async () => {
  const tenant = newTenant();
  const look = () => care.ask('listPractitioners', { tenant, environment: 'production' });
  expect((await look()).body.data).toEqual([]);
  const id = await givePractitioner(care.sql, tenant);
  expect((await look()).body.data).toMatchObject([{ id, session_fee: { amount: 450_000, currency: 'KES' } }]);
});

test('availability is the weekly hours as they were given', async () => {
  const tenant = newTenant();
  const id = await givePractitioner(care.sql, tenant, { timezone: 'Asia/Kathmandu' });
  const { body } = await care.ask('getPractitionerAvailability', { tenant, params: { practitioner_id: id } });
  expect(body).toEqual({
    object: 'availability',
    practitioner_id: id,
    timezone: 'Asia/Kathmandu',
    weekly_hours: ALWAYS,
  });
});

test('a cursor that names nobody is refused', async () => {
  const answer = await care.ask('listPractitioners', { query: { starting_after: 'prc_none' } });
  expect(answer).toMatchObject({ status: 400, code: 'validation_failed' });
});
