/** GET /claims/{claim_id}/valuation. */
import { parseInstant } from '@carecover/contract';
import { type Handlers, requireVisible, type Sql } from '@carecover/platform';
import { valueClaim } from '../valuation';

export function valuationHandlers(sql: Sql): Pick<Handlers, 'getClaimValuation'> {
  return {
    async getClaimValuation({ caller, params, query }) {
      requireVisible(caller, params.claim_id);
      const cutoff = parseInstant(query.valuation_at);
      return { status: 200, body: await valueClaim(sql, caller.tenant, params.claim_id, cutoff) };
    },
  };
}
