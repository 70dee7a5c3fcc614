/** Rows of information requests. A unique index allows one open request per claim. */
import type { ClaimInformationRequest } from '@carecover/contract';
import { type Db, jsonb, type Tx } from '@carecover/platform';

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

/** Inserts an open request with the claim's next number. */
export async function insertRequest(
  tx: Tx,
  request: Pick<
    InformationRequestRow,
    'id' | 'claim_id' | 'reason_code' | 'requested_evidence_types' | 'due_at' | 'created_at'
  >,
): Promise<void> {
  await tx`
    insert into information_requests (id, claim_id, number, reason_code, requested_evidence_types, status, due_at, created_at)
    select ${request.id}, ${request.claim_id}, count(*) + 1, ${request.reason_code},
      ${jsonb([...request.requested_evidence_types])}, 'open', ${request.due_at}, ${request.created_at}
    from information_requests where claim_id = ${request.claim_id}`;
}

/** Reads a claim's request by ID; undefined if the claim has no such request. */
export async function findRequest(
  db: Db,
  claimId: string,
  requestId: string,
): Promise<InformationRequestRow | undefined> {
  const [row] = await db<InformationRequestRow[]>`
    select * from information_requests where claim_id = ${claimId} and id = ${requestId}`;
  return row;
}

/** Ends the claim's open request, if there is one. */
export async function resolveOpenRequest(
  tx: Tx,
  claimId: string,
  status: 'fulfilled' | 'cancelled',
  resolvedAt: Date,
): Promise<void> {
  await tx`
    update information_requests set status = ${status}, resolved_at = ${resolvedAt}
    where claim_id = ${claimId} and status = 'open'`;
}
