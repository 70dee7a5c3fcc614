/** Conversion of the database rows of claims, valuation runs and bulk jobs to API resources. */
import type {
  BulkJob,
  BulkJobResult,
  Claim,
  ClaimInformationRequest,
  ClaimLinks,
  ValuationRun,
  ValuationRunClaim,
  ValuationRunSummary,
} from '@carecover/contract';
import { linkedAmounts } from './rules/linked-amounts';
import { ageBandName } from './rules/receivables';
import type { JobRow, ResultRow } from './store/bulk-jobs';
import type { ClaimLinksRow } from './store/claim-links';
import type { ClaimInFull, RequestInView } from './store/claims-in-full';
import type { CountedClaim, RunRow, RunSummaryRow } from './store/valuation-runs';

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

/** Converts a claim's row to its API resource. */
export function claimResource(row: ClaimInFull): Claim {
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

/** Converts a claim's row to the API resource with the IDs of all resources that the claim is connected with. */
export function claimLinksResource(row: ClaimLinksRow): ClaimLinks {
  const { id, session_recorded_by: by, session_recorded_at: at, remitted, settled, ...links } = row;
  return {
    object: 'claim_links',
    claim_id: id,
    ...links,
    session_recorded: by === null || at === null ? null : { by, at: at.toISOString() },
    remittances: linkedAmounts(remitted).filter(({ amount }) => amount > 0),
    settlements: linkedAmounts(settled),
  };
}

/** Converts a valuation run's row to its API resource without groups and triangle. */
export function runSummaryResource(row: RunSummaryRow): ValuationRunSummary {
  return {
    id: row.id,
    object: 'valuation_run',
    status: row.status,
    progress: row.progress,
    valuation_at: row.valuation_at.toISOString(),
    effective_through: row.effective_through.toISOString(),
    kind: row.kind,
    group_by: row.group_by,
    development: row.development,
    failure: row.failure,
    claims_counted: row.claims_counted,
    totals: row.totals ?? [],
    result_sha256: row.result_sha256,
    created_at: row.created_at.toISOString(),
    completed_at: row.completed_at?.toISOString() ?? null,
  };
}

/**
 * Converts a valuation run's row to its API resource.
 *
 * @param payers the references of payers by their surrogates; a payer without a reference keeps its surrogate
 */
export function runResource(row: RunRow, payers: Readonly<Record<string, string>>): ValuationRun {
  return {
    ...runSummaryResource(row),
    groups: (row.groups ?? []).map((group) => ({
      ...group,
      payer_reference: group.payer_reference && (payers[group.payer_reference] ?? group.payer_reference),
    })),
    triangle: row.triangle,
  };
}

/**
 * Converts a claim at the cutoffs of a run to its API resource.
 *
 * @param payers the references of payers by their surrogates; a payer without a reference keeps its surrogate
 */
export function countedClaimResource(
  claim: CountedClaim,
  payers: Readonly<Record<string, string>>,
): ValuationRunClaim {
  const ofAdjudication = (amount: number) => (claim.is_adjudicated ? amount : null);
  return {
    id: claim.id,
    object: 'valuation_run_claim',
    currency: claim.currency,
    status: claim.status,
    practitioner_id: claim.practitioner_id,
    payer_reference: payers[claim.payer_id] ?? claim.payer_id,
    plan: claim.plan,
    service_month: claim.service_month,
    submission_month: claim.submission_month,
    age_band: ageBandName(claim.age),
    amount: {
      billed: claim.billed,
      payer_liability: ofAdjudication(claim.payer_liability),
      patient_responsibility: ofAdjudication(claim.patient_responsibility),
      adjustment: ofAdjudication(claim.adjustment),
      remitted: claim.remitted,
      settled: claim.settled,
      outstanding: ofAdjudication(claim.outstanding),
    },
  };
}

/** Converts a bulk job's row to its API resource. */
export function jobResource(row: JobRow): BulkJob {
  const { total, succeeded, replayed, rejected } = row;
  return {
    id: row.id,
    object: 'bulk_job',
    kind: row.kind,
    status: row.status,
    on_error: row.on_error,
    dry_run: row.dry_run,
    counts: { total, succeeded, replayed, rejected, waiting: total - succeeded - replayed - rejected },
    created_at: row.created_at.toISOString(),
    completed_at: row.completed_at?.toISOString() ?? null,
    results_deleted_at: row.results_deleted_at?.toISOString() ?? null,
  };
}

/** Converts the result of a line of a bulk job to its API resource. */
export function lineResultResource(row: ResultRow): BulkJobResult {
  const { line, reference, status, resource_id, error_code: code, error_message: message } = row;
  const error = code === null || message === null ? null : { code, message };
  return { object: 'bulk_job_result', line, reference, status, resource_id, error };
}
