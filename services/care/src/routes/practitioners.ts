/** The directory and the weekly hours. A sandbox project that has no practitioner yet gets the synthetic ones when it first looks. */
import type { Availability, Practitioner } from '@carecover/contract';
import { type Caller, type Handlers, listPage, notFound, type Sql } from '@carecover/platform';
import { syntheticDirectory } from '../directory/synthetic-directory';
import { findPractitioner, type PractitionerRow, seedPractitioners } from '../store/practitioners';

function practitionerResource(row: PractitionerRow): Practitioner {
  return {
    id: row.id,
    object: 'practitioner',
    name: row.name,
    profession: row.profession,
    location: { city: row.city, country: row.country },
    session_fee: { amount: row.fee_amount, currency: row.fee_currency },
  };
}

function availabilityResource(row: PractitionerRow): Availability {
  return {
    object: 'availability',
    practitioner_id: row.id,
    timezone: row.timezone,
    weekly_hours: row.weekly_hours,
  };
}

export function practitionerHandlers(
  sql: Sql,
): Pick<Handlers, 'listPractitioners' | 'getPractitioner' | 'getPractitionerAvailability'> {
  async function known(caller: Caller, id: string): Promise<PractitionerRow> {
    const row = await findPractitioner(sql, caller, id);
    if (row === undefined) throw notFound();
    return row;
  }

  return {
    async listPractitioners({ caller, query }) {
      const page = () => listPage(sql, caller, 'practitioners', query, sql``, practitionerResource);
      const first = await page();
      if (first.data.length > 0 || caller.environment === 'production') return { status: 200, body: first };
      await seedPractitioners(sql, caller.tenant, syntheticDirectory());
      return { status: 200, body: await page() };
    },

    async getPractitioner({ caller, params }) {
      return { status: 200, body: practitionerResource(await known(caller, params.practitioner_id)) };
    },

    async getPractitionerAvailability({ caller, params }) {
      return { status: 200, body: availabilityResource(await known(caller, params.practitioner_id)) };
    },
  };
}
