/** What a claim's workflow does when something may be due: applies it, and reads what the claim awaits now. */

import { interruptedCommandsOf } from '@carecover/commands';
import { isSimulated, type Tenant } from '@carecover/domain';
import { databaseNow } from '@carecover/postgres';
import type { ClaimReport } from '@carecover/workflow-claim';
import { claimResource } from '../resources';
import type { ClaimOfTenant } from '../store/claims';
import { type ClaimInFull, findClaimInFull, type RequestInView } from '../store/claims-in-full';
import { lapseInformationRequest } from './lapse-information-request';
import { type ReleaseDeps, releaseIfAvailable } from './release-claim';

/**
 * Lets an overdue information request lapse, releases what an ended claim used if benefits is available, and reads the claim with the
 * commands that its workflow must finish.
 */
export async function reviewClaim(deps: ReleaseDeps, which: ClaimOfTenant): Promise<ClaimReport> {
  const { sql } = deps;
  const read = () => findClaimInFull(sql, which.tenant, which.claimId);
  const [found, now, interrupted] = await Promise.all([
    read(),
    databaseNow(sql),
    interruptedCommandsOf(sql, which.tenant, which.claimId),
  ]);
  if (found === null) return reportOf(which.tenant, found, now, interrupted);
  // The release has no request of a client. The claim's ID identifies it in the logs.
  if (mustRelease(found)) await releaseIfAvailable(deps, which, which.claimId);
  if (!isLapseDue(found, now)) return reportOf(which.tenant, found, now, interrupted);
  await lapseInformationRequest(sql, which);
  return reportOf(which.tenant, await read(), now, interrupted);
}

function isoTime(text: string): string {
  return new Date(text).toISOString();
}

/** What a claim awaits, by its status. The other statuses await nothing. */
const AWAITED: Partial<Record<ClaimInFull['status'], string>> = {
  submitted: 'the payer’s adjudication',
  queried: 'the answer to the information request',
  approved: 'remittances and settlements',
  partially_approved: 'remittances and settlements',
};

function openRequestOf(row: ClaimInFull): RequestInView | undefined {
  return row.information_requests.find((request) => request.status === 'open');
}

/**
 * Returns what a claim awaits, until when, and the requested evidence, as one line for operators; null if it awaits nothing.
 *
 * @example 'the answer to the information request (medical_necessity): clinical_note, until 2026-12-01T00:00:00.000Z'
 */
export function awaitedBy(row: ClaimInFull): string | null {
  const awaited = AWAITED[row.status] ?? null;
  const open = openRequestOf(row);
  if (awaited === null || open === undefined) return awaited;
  const deadline = open.due_at === null ? 'without a deadline' : `until ${isoTime(open.due_at)}`;
  return `${awaited} (${open.reason_code}): ${open.requested_evidence_types.join(', ')}, ${deadline}`;
}

function wordsOf(row: ClaimInFull): string {
  const { amount, submission_version, adjudication } = claimResource(row);
  const lines = [
    `**${row.status}** since ${row.last_recorded_at.toISOString()}, submission ${submission_version}, reference ${row.provider_claim_reference}`,
    // Remitted and settled amounts are not shown in the Temporal UI. They would be outdated, because some remittances and settlements do
    // not signal the workflow.
    `${amount.currency}, minor units: billed ${amount.billed}, approved ${amount.approved ?? '-'}`,
  ];
  if (adjudication !== null)
    lines.push(
      `Adjudication ${adjudication.version}: ${adjudication.decision} under ${adjudication.policy.reference} ${adjudication.policy.version}`,
    );
  const awaited = awaitedBy(row);
  if (awaited !== null) lines.push(`Waits for ${awaited}`);
  return lines.join('\n\n');
}

/** Whether benefits must still release the session and pre-authorization of a cancelled or reversed claim. */
function mustRelease(row: ClaimInFull): boolean {
  return (row.status === 'cancelled' || row.status === 'reversed') && row.released_at === null;
}

/** Whether a claim's open information request has reached its deadline. @param now the database's time */
function isLapseDue(row: ClaimInFull, now: Date): boolean {
  const due = row.status === 'queried' ? (openRequestOf(row)?.due_at ?? null) : null;
  return due !== null && Date.parse(due) <= now.getTime();
}

/**
 * Converts a claim's row to the report for its workflow.
 *
 * @param row null if there is no such claim: its submission was rejected, or is interrupted
 * @param now the database's time
 */
function reportOf(
  tenant: Tenant,
  row: ClaimInFull | null,
  now: Date,
  interrupted: ClaimReport['interrupted'],
): ClaimReport {
  if (row === null)
    return { status: 'none', dueAt: null, dueInMs: null, awaits: null, words: 'Not submitted', interrupted };
  const due = openRequestOf(row)?.due_at ?? null;
  return {
    status: row.status,
    dueAt: due === null ? null : isoTime(due),
    // No timer waits for the deadline of a simulated project: an advance of its clock applies it.
    dueInMs: due === null || isSimulated(tenant) ? null : Math.max(0, Date.parse(due) - now.getTime()),
    awaits: awaitedBy(row),
    words: wordsOf(row),
    interrupted,
  };
}
