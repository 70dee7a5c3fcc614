/** Where a claim stands, for its workflow: what it waits for, and what an operator reads. */
import { type Sql, storedTenant } from '@carecover/platform';
import type { ClaimSteps, ClaimView } from '@carecover/workflow-claim';
import { type ClaimInFull, findClaimInFull, toClaim } from '../store/claims-in-full';

function words(row: ClaimInFull): string {
  const { amount, information_requests, submission_version, adjudication } = toClaim(row);
  const open = information_requests.find((request) => request.status === 'open');
  const lines = [
    `**${row.status}** since ${row.last_recorded_at.toISOString()}, submission ${submission_version}, reference ${row.provider_claim_reference}`,
    // What money changes is not told to the workflow each time, so it is not among its details.
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
  if (mustRelease(row)) lines.push('Its pre-authorization is still to be given back');
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

/** What the workflow is to know of a claim. */
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
