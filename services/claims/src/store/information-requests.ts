/**
 * Rows of information requests. A unique index allows one open request per claim. Functions that take a locked claim need no tenant,
 * because the claim was locked for its tenant.
 */
import type { ClaimInformationRequest } from '@carecover/contract';
import { jsonb, type Query, type Tx } from '@carecover/postgres';
import type { LockedClaim } from './claims';

export interface InformationRequestRow {
  readonly id: string;
  readonly claim_id: string;
  readonly number: number;
  readonly reason_code: string;
  readonly requested_evidence_types: string[];
  readonly status: ClaimInformationRequest['status'];
  readonly due_at: Date | null;
  readonly created_at: Date;
  readonly resolved_at: Date | null;
}

/** Inserts an open information request of a locked claim. */
export function insertRequest(
  tx: Tx,
  { row: { id: claimId, project_id: tenant } }: LockedClaim,
  request: Pick<
    InformationRequestRow,
    'id' | 'number' | 'reason_code' | 'requested_evidence_types' | 'due_at' | 'created_at'
  >,
): Query<unknown> {
  return tx`
    insert into information_requests (id, claim_id, project_id, number, reason_code, requested_evidence_types, status, due_at,
      created_at)
    values (${request.id}, ${claimId}, ${tenant}, ${request.number}, ${request.reason_code},
      ${jsonb([...request.requested_evidence_types])}, 'open', ${request.due_at}, ${request.created_at})`;
}

/** Reads an information request of a locked claim by ID; undefined if the claim has no such request. */
export async function findRequest(
  tx: Tx,
  { row: { id: claimId } }: LockedClaim,
  requestId: string,
): Promise<InformationRequestRow | undefined> {
  const [row] = await tx<InformationRequestRow[]>`
    select * from information_requests where claim_id = ${claimId} and id = ${requestId}`;
  return row;
}

/** Ends the open information request of a locked claim, if there is one. */
export function resolveOpenRequest(
  tx: Tx,
  { row: { id: claimId } }: LockedClaim,
  status: 'fulfilled' | 'cancelled',
  resolvedAt: Date,
): Query<unknown> {
  return tx`
    update information_requests set status = ${status}, resolved_at = ${resolvedAt}
    where claim_id = ${claimId} and status = 'open'`;
}
