/** HTTP routes of claims. */
import { parseInstant } from '@carecover/contract';
import { type Caller, requireResource } from '@carecover/domain';
import type { Handlers } from '@carecover/http';
import { claimLinksResource, claimResource } from '../resources';
import { findClaimLinks } from '../store/claim-links';
import { findClaimInFull, listClaims } from '../store/claims-in-full';
import { adjudicateClaim } from '../use-cases/adjudicate-claim';
import { cancelClaim } from '../use-cases/cancel-claim';
import type { ClaimCommandDeps } from '../use-cases/claim-command';
import { requestInformation } from '../use-cases/request-information';
import { reverseClaim } from '../use-cases/reverse-claim';
import { submitClaim } from '../use-cases/submit-claim';
import { submitEvidence } from '../use-cases/submit-evidence';
import { type ReadPayers, sumReceivables } from '../use-cases/sum-receivables';
import { getClaimValuation } from '../use-cases/value-claim';

/** Creates the handlers of all API operations of claims. */
export function claimsHandlers(
  deps: ClaimCommandDeps,
  readPayersFor: (caller: Caller) => ReadPayers,
): Pick<
  Handlers,
  | 'listClaims'
  | 'getClaim'
  | 'getClaimLinks'
  | 'getClaimValuation'
  | 'getReceivables'
  | 'createClaim'
  | 'requestClaimInformation'
  | 'submitClaimEvidence'
  | 'adjudicateClaim'
  | 'cancelClaim'
  | 'reverseClaim'
> {
  const { sql } = deps;
  return {
    async listClaims({ caller, query }) {
      return { status: 200, body: await listClaims(sql, caller, query, claimResource) };
    },

    async getClaim({ caller, params }) {
      const id = params.claim_id;
      const row = requireResource(caller, id, await findClaimInFull(sql, caller.tenant, id));
      return { status: 200, body: claimResource(row) };
    },

    async getClaimLinks({ caller, params }) {
      const id = params.claim_id;
      const row = requireResource(caller, id, await findClaimLinks(sql, caller.tenant, id));
      return { status: 200, body: claimLinksResource(row) };
    },

    async getClaimValuation(call) {
      return { status: 200, body: await getClaimValuation(sql, call) };
    },

    async getReceivables({ caller, query }) {
      const at = parseInstant(query.at);
      return {
        status: 200,
        body: await sumReceivables(sql, readPayersFor(caller), caller, at, query.currency),
      };
    },

    createClaim: (call) => submitClaim(deps, call),
    requestClaimInformation: (call) => requestInformation(deps, call),
    submitClaimEvidence: (call) => submitEvidence(deps, call),
    adjudicateClaim: (call) => adjudicateClaim(deps, call),
    cancelClaim: (call) => cancelClaim(deps, call),
    reverseClaim: (call) => reverseClaim(deps, call),
  };
}
