/** A claim's state for its workflow: the deadline, the pending step, and the details for operators. */
import { type Sql, storedTenant } from '@carecover/platform';
import type { ClaimSteps, ClaimView } from '@carecover/workflow-claim';
import { type ClaimInFull, findClaimInFull, toClaim } from '../store/claims-in-full';

function words(row: ClaimInFull): string {
  const { amount, information_requests, submission_version, adjudication } = toClaim(row);
  const open = information_requests.find((request) => request.status === 'open');
  const lines = [
    `**${row.status}** since ${row.last_recorded_at.toISOString()}, submission ${submission_version}, reference ${row.provider_claim_reference}`,
    // Amounts that remittances and settlements change are left out: the workflow is not signalled for each.
    `${amount.currency}, minor units: billed ${amount.billed}, approved ${amount.approved ?? '-'}`,
  ];
  if (open !== undefined)
    lines.push(
      `The payer asks (${open.reason_code}) for ${open.requested_evidence_types.join(', ')}, ${open.due_at === null ? 'without a deadline' : `until ${open.due_at}`}`,
    );
  if (adjudication !== null)
    lines.push(
      `Adjudication ${adjudication.version}: ${adjudication.decision} under ${adjudication.policy.reference} ${adjudication.policy.version}`,
    );
  if (mustRelease(row)) lines.push('Its pre-authorization is not released yet');
  return lines.join('\n\n');
}

function mustRelease(row: ClaimInFull): boolean {
  return (row.status === 'cancelled' || row.status === 'reversed') && row.released_at === null;
}

const UNKNOWN: ClaimView = {
  status: 'none',
  dueAt: null,
  mustRelease: false,
  unfinished: null,
  words: 'Not submitted',
};

/** Returns the workflow's view of a claim. */
export function viewOf(row: ClaimInFull | null): ClaimView {
  if (row === null) return UNKNOWN;
  const open = row.information_requests.find((request) => request.status === 'open');
  return {
    status: row.status,
    dueAt: open?.due_at == null ? null : new Date(open.due_at).toISOString(),
    mustRelease: mustRelease(row),
    unfinished:
      row.pending_step === null
        ? null
        : { commandId: row.pending_step.command_id, update: row.pending_step.update },
    words: words(row),
  };
}

export function viewSteps(sql: Sql): Pick<ClaimSteps, 'loadClaim'> {
  return {
    loadClaim: async ({ tenant, claimId }) =>
      viewOf(await findClaimInFull(sql, storedTenant(tenant), claimId)),
  };
}
