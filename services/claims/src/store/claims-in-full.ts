/** Complete claims, each read in one statement and therefore from one moment. */
import type { Adjudication, Claim, ClaimInformationRequest } from '@carecover/contract';
import { type Db, notFound, type Tenant } from '@carecover/platform';
import type { ClaimRow } from './claims';

/** An information request in the view's JSON; times are PostgreSQL's text format. */
interface RequestInView {
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

function toIsoTime(text: string): string {
  return new Date(text).toISOString();
}

function toRequest(request: RequestInView): ClaimInformationRequest {
  return {
    id: request.id,
    object: 'claim_information_request',
    reason_code: request.reason_code,
    requested_evidence_types: request.requested_evidence_types,
    status: request.status,
    due_at: request.due_at === null ? null : toIsoTime(request.due_at),
    created_at: toIsoTime(request.created_at),
    resolved_at: request.resolved_at === null ? null : toIsoTime(request.resolved_at),
  };
}

/** Converts a row to the claim's resource. */
export function toClaim(row: ClaimInFull): Claim {
  return {
    id: row.id,
    object: 'claim',
    status: row.status,
    provider_claim_reference: row.provider_claim_reference,
    submission_version: row.submission_version,
    amount: {
      currency: row.currency,
      billed: row.billed,
      approved: row.approved,
      remitted: row.remitted,
      settled: row.settled,
    },
    service_period: {
      starts_at: row.service_starts_at.toISOString(),
      ends_at: row.service_ends_at.toISOString(),
    },
    lines: row.lines,
    information_requests: row.information_requests.map(toRequest),
    adjudication: row.adjudication,
    submitted_at: row.submitted_at.toISOString(),
    updated_at: row.last_recorded_at.toISOString(),
  };
}

/** Reads one complete claim; null if the tenant has no such claim. */
export async function findClaimInFull(db: Db, tenant: Tenant, claimId: string): Promise<ClaimInFull | null> {
  const [row] = await db<ClaimInFull[]>`
    select * from claims_in_full where project_id = ${tenant} and id = ${claimId}`;
  return row ?? null;
}

/** Reads one claim's resource. @throws ApiError resource_not_found */
export async function readClaim(db: Db, tenant: Tenant, claimId: string): Promise<Claim> {
  const row = await findClaimInFull(db, tenant, claimId);
  if (row === null) throw notFound();
  return toClaim(row);
}
