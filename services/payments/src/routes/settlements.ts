/** HTTP routes of settlements and their reversals. */

import { requireResource } from '@carecover/domain';
import type { Handlers } from '@carecover/http';
import { settlementResource } from '../resources';
import { findSettlement, listSettlements } from '../store/settlements';
import { createSettlement } from '../use-cases/create-settlement';
import type { RemittanceDeps } from '../use-cases/deliver-notifications';
import { reverseSettlement } from '../use-cases/reverse-settlement';

export function settlementHandlers(
  deps: RemittanceDeps,
): Required<Pick<Handlers, 'listSettlements' | 'createSettlement' | 'getSettlement' | 'reverseSettlement'>> {
  const { sql } = deps;
  return {
    async listSettlements({ caller, query }) {
      return { status: 200, body: await listSettlements(sql, caller, query, settlementResource) };
    },

    createSettlement: (call) => createSettlement(deps, call),

    async getSettlement({ caller, params }) {
      const id = params.settlement_id;
      const row = requireResource(caller, id, await findSettlement(sql, caller.tenant, id));
      return { status: 200, body: settlementResource(row) };
    },

    reverseSettlement: (call) => reverseSettlement(deps, call),
  };
}
