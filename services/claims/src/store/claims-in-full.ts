/** Claims with everything that their API resource contains. One SQL statement reads a claim, so that all parts are from the same moment. */
import {
  type Adjudication,
  type ClaimInformationRequest,
  type ClaimStatus,
  parseInstant,
  referenceSearchKey,
} from '@carecover/contract';
import type { Caller, Tenant } from '@carecover/domain';
import {
  type Db,
  earliestOf,
  type Fragment,
  type ListQuery,
  type ListResult,
  listPage,
  type Query,
} from '@carecover/postgres';
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

export const CLAIMS_IN_FULL = { table: 'claims_in_full' } as const;

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

/** If at most this number of claims have an open information request that is due before an instant, they are found by the requests. */
const MOST_BY_DUE = 100;

/**
 * Returns the condition that a claim has an open information request that is due before an instant, and the bound on the claim's creation
 * that follows from it: a claim is created before its request, and a request before it is due. A list has the order of creation and not of
 * due_at, so few such claims are found by their requests, and many among the queried claims in the order of the list (docs/decisions/0046).
 */
async function dueBefore(
  db: Db,
  tenant: Tenant,
  instant: string,
): Promise<{ readonly condition: Fragment; readonly created_before?: string }> {
  const at = new Date(parseInstant(instant));
  const found = await db<{ claim_id: string }[]>`
    select claim_id from information_requests where project_id = ${tenant} and status = 'open' and due_at < ${at}
    order by due_at limit ${MOST_BY_DUE + 1}`;
  if (found.length <= MOST_BY_DUE)
    return { condition: db`and id = any(${found.map(({ claim_id }) => claim_id)})` };
  return {
    condition: db`and status = 'queried' and (
      select due_at from information_requests r where r.claim_id = claims_in_full.id and r.status = 'open') < ${at}`,
    created_before: instant,
  };
}

/**
 * Reads one page of the project's claims, newest first.
 *
 * @throws ApiError validation_failed if the cursor names no claim of this list
 */
export async function listClaims<T>(
  db: Db,
  caller: Caller,
  query: ListQuery & ClaimFilters,
  toResource: (row: ClaimInFull) => T,
): Promise<ListResult<T>> {
  const due = query.due_before === undefined ? null : await dueBefore(db, caller.tenant, query.due_before);
  const filters = [
    due?.condition ?? db``,
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
  const created_before = earliestOf(query.created_before, due?.created_before);
  return listPage(db, caller, CLAIMS_IN_FULL, { ...query, created_before }, filters, toResource);
}
