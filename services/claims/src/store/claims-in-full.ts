/** Claims with everything that their API resource contains. One SQL statement reads a claim, so that all parts are from the same moment. */
import {
  type Adjudication,
  type Claim,
  type ClaimInformationRequest,
  type ClaimStatus,
  parseInstant,
  referenceSearchKey,
} from '@carecover/contract';
import {
  type Caller,
  type Db,
  type ListQuery,
  type ListResult,
  listPage,
  type Query,
  type Tenant,
} from '@carecover/platform';
import type { ClaimRow } from './claims';

/** An information request in the JSON of the view claims_in_full; times are in PostgreSQL's text format. */
export interface RequestInView {
  id: string;
  reason_code: string;
  requested_evidence_types: string[];
  status: ClaimInformationRequest['status'];
  due_at: string | null;
  created_at: string;
  resolved_at: string | null;
}

export type ClaimInFull = ClaimRow & {
  readonly information_requests: RequestInView[];
  readonly adjudication: Adjudication | null;
};

export const CLAIMS_IN_FULL = { table: 'claims_in_full', kind: 'claim' } as const;

/** Reads one claim with everything that its API resource contains; null if the tenant has no such claim. */
export function findClaimInFull(db: Db, tenant: Tenant, claimId: string): Query<ClaimInFull | null> {
  const found = db<ClaimInFull[]>`
    select * from claims_in_full where project_id = ${tenant} and id = ${claimId}`;
  return found.withResult(([row]) => row ?? null);
}

/** The filters of the list of claims. */
export interface ClaimFilters {
  readonly status?: ClaimStatus;
  readonly provider_claim_reference?: string;
  readonly session_id?: string;
  readonly preauthorization_id?: string;
  readonly practitioner_id?: string;
  /** Selects claims with an open information request that is due before the given instant. */
  readonly due_before?: string;
}

/**
 * Reads one page of the project's claims, newest first.
 *
 * @throws ApiError validation_failed if the cursor names no claim of this list
 */
export function listClaims(
  db: Db,
  caller: Caller,
  query: ListQuery & ClaimFilters,
  toResource: (row: ClaimInFull) => Claim,
): Promise<ListResult<Claim>> {
  const dueBefore =
    query.due_before === undefined
      ? db``
      : db`and id = any(array(
          select claim_id from information_requests
          where project_id = ${caller.tenant} and status = 'open' and due_at < ${new Date(parseInstant(query.due_before))}))`;
  const filters = [
    dueBefore,
    {
      column: 'provider_claim_reference_search',
      value:
        query.provider_claim_reference === undefined
          ? undefined
          : referenceSearchKey(query.provider_claim_reference),
    },
    { column: 'session_id', value: query.session_id },
    { column: 'preauthorization_id', value: query.preauthorization_id },
    { column: 'practitioner_id', value: query.practitioner_id },
    { column: 'status', value: query.status },
  ];
  return listPage(db, caller, CLAIMS_IN_FULL, query, filters, toResource);
}
