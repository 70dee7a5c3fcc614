/** GET /claims/{claim_id} and GET /claims. */
import { type Handlers, listPage, requireVisible, type Sql } from '@carecover/platform';
import { type ClaimInFull, readClaim, toClaim } from '../store/claims-in-full';

export function claimHandlers(sql: Sql): Pick<Handlers, 'listClaims' | 'getClaim'> {
  return {
    async listClaims({ caller, query }) {
      const filter = { column: 'status', value: query.status };
      return {
        status: 200,
        body: await listPage<ClaimInFull, ReturnType<typeof toClaim>>(
          sql,
          caller,
          { table: 'claims_in_full', kind: 'claim' },
          query,
          filter,
          toClaim,
        ),
      };
    },

    async getClaim({ caller, params }) {
      requireVisible(caller, params.claim_id);
      return { status: 200, body: await readClaim(sql, caller.tenant, params.claim_id) };
    },
  };
}
