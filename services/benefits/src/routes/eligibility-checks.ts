/** HTTP routes of eligibility checks: whether a coverage pays for a session. */

import { requireResource } from '@carecover/domain';
import type { Handlers } from '@carecover/http';
import type { Sql } from '@carecover/postgres';
import { eligibilityCheckResource } from '../resources';
import { findEligibilityCheck } from '../store/eligibility-checks';
import { createEligibilityCheck } from '../use-cases/create-eligibility-check';

export function eligibilityCheckHandlers(
  sql: Sql,
): Pick<Handlers, 'createEligibilityCheck' | 'getEligibilityCheck'> {
  return {
    createEligibilityCheck: (call) => createEligibilityCheck(sql, call),

    async getEligibilityCheck({ caller, params }) {
      const id = params.eligibility_check_id;
      const row = requireResource(caller, id, await findEligibilityCheck(sql, caller.tenant, id));
      return { status: 200, body: eligibilityCheckResource(row) };
    },
  };
}
