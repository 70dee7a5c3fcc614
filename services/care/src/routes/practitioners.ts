/** HTTP routes of practitioners, their weekly hours and their free slots. */
import { type Caller, requireResource } from '@carecover/domain';
import type { Handlers } from '@carecover/http';
import type { Sql } from '@carecover/postgres';
import { availabilityResource, practitionerResource } from '../resources';
import { findPractitioner, type PractitionerRow } from '../store/practitioners';
import { listPractitioners } from '../use-cases/list-practitioners';
import { listSlots } from '../use-cases/list-slots';

export function practitionerHandlers(
  sql: Sql,
): Pick<
  Handlers,
  'listPractitioners' | 'getPractitioner' | 'getPractitionerAvailability' | 'listPractitionerSlots'
> {
  async function readPractitioner(caller: Caller, id: string): Promise<PractitionerRow> {
    return requireResource(caller, id, await findPractitioner(sql, caller.tenant, id));
  }

  return {
    async listPractitioners(call) {
      return { status: 200, body: await listPractitioners(sql, call) };
    },

    async getPractitioner({ caller, params }) {
      const row = await readPractitioner(caller, params.practitioner_id);
      return { status: 200, body: practitionerResource(row) };
    },

    async getPractitionerAvailability({ caller, params }) {
      const row = await readPractitioner(caller, params.practitioner_id);
      return { status: 200, body: availabilityResource(row) };
    },

    async listPractitionerSlots(call) {
      return { status: 200, body: await listSlots(sql, call) };
    },
  };
}
