/** HTTP routes of remittances. */

import { requireResource } from '@carecover/domain';
import type { Handlers } from '@carecover/http';
import { reconciliationResource, remittanceResource } from '../resources';
import { findReconciliationSnapshot } from '../store/reconciliation';
import { findRemittance, listRemittances } from '../store/remittances';
import { createRemittance } from '../use-cases/create-remittance';
import type { CreationDeps } from '../use-cases/record-advice';

export function remittanceHandlers(
  deps: CreationDeps,
): Required<
  Pick<Handlers, 'listRemittances' | 'createRemittance' | 'getRemittance' | 'getRemittanceReconciliation'>
> {
  const { sql } = deps;
  return {
    async listRemittances({ caller, query }) {
      return { status: 200, body: await listRemittances(sql, caller, query, remittanceResource) };
    },

    createRemittance: (call) => createRemittance(deps, call),

    async getRemittance({ caller, params }) {
      const id = params.remittance_id;
      const row = requireResource(caller, id, await findRemittance(sql, caller.tenant, id));
      return { status: 200, body: remittanceResource(row) };
    },

    async getRemittanceReconciliation({ caller, params }) {
      const id = params.remittance_id;
      const facts = requireResource(caller, id, await findReconciliationSnapshot(sql, caller.tenant, id));
      return { status: 200, body: reconciliationResource(facts) };
    },
  };
}
