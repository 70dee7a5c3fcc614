/** HTTP routes of settlements and their reversals. */
import { type Handlers, requireResource, type Sql, type TemporalCommands } from '@carecover/platform';
import { settlementResource } from '../resources';
import { findSettlement, listSettlements } from '../store/settlements';
import { createSettlement } from '../use-cases/create-settlement';
import { reverseSettlement } from '../use-cases/reverse-settlement';

export function settlementHandlers(
  sql: Sql,
  temporal: Pick<TemporalCommands, 'command'>,
): Required<Pick<Handlers, 'listSettlements' | 'createSettlement' | 'getSettlement' | 'reverseSettlement'>> {
  return {
    async listSettlements({ caller, query }) {
      return { status: 200, body: await listSettlements(sql, caller, query, settlementResource) };
    },

    createSettlement: (call) => createSettlement(sql, temporal, call),

    async getSettlement({ caller, params }) {
      const id = params.settlement_id;
      const row = requireResource(caller, id, await findSettlement(sql, caller.tenant, id));
      return { status: 200, body: settlementResource(row) };
    },

    reverseSettlement: (call) => reverseSettlement(sql, temporal, call),
  };
}
