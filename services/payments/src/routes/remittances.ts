/** HTTP routes of remittances. */
import { type Handlers, requireResource, type Sql, type TemporalCommands } from '@carecover/platform';
import { reconciliationResource, remittanceResource } from '../resources';
import { findReconciliationFacts } from '../store/reconciliation';
import { findRemittance, listRemittances } from '../store/remittances';
import { createRemittance } from '../use-cases/create-remittance';

export function remittanceHandlers(
  sql: Sql,
  temporal: Pick<TemporalCommands, 'command'>,
): Required<
  Pick<Handlers, 'listRemittances' | 'createRemittance' | 'getRemittance' | 'getRemittanceReconciliation'>
> {
  return {
    async listRemittances({ caller, query }) {
      return { status: 200, body: await listRemittances(sql, caller, query, remittanceResource) };
    },

    createRemittance: (call) => createRemittance(sql, temporal, call),

    async getRemittance({ caller, params }) {
      const id = params.remittance_id;
      const row = requireResource(caller, id, await findRemittance(sql, caller.tenant, id));
      return { status: 200, body: remittanceResource(row) };
    },

    async getRemittanceReconciliation({ caller, params }) {
      const id = params.remittance_id;
      const facts = requireResource(caller, id, await findReconciliationFacts(sql, caller.tenant, id));
      return { status: 200, body: reconciliationResource(facts) };
    },
  };
}
