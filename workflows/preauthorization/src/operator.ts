/** A pre-authorization in the Temporal UI: the current details and the search attributes, without data about the member or the care. */
import { DUE_AT, PREAUTHORIZATION_STATUS, type RunDetails } from '@carecover/platform/workflow';
import { upsertSearchAttributes } from '@temporalio/workflow';
import type { PreauthorizationReport } from './steps';

/** Shows a pre-authorization's state. @param dueAtMs when the workflow's timer fires, by Temporal's clock; null without a timer */
export function showState(details: RunDetails, now: PreauthorizationReport, dueAtMs: number | null): void {
  details.showState(formatDetails(now));
  upsertSearchAttributes([
    { key: PREAUTHORIZATION_STATUS, value: now.status },
    { key: DUE_AT, value: dueAtMs === null ? null : new Date(dueAtMs) },
  ]);
}

function formatDetails(report: PreauthorizationReport): string {
  if (report.status === 'approved' && report.usedByClaimId !== null) {
    return `Approved and used by ${report.usedByClaimId}: nothing is due. The claim's cancellation or reversal makes it available again.`;
  }
  if (report.status === 'approved') {
    return `Approved: one session is reserved. Expires at ${report.deadline} unless a claim has used it by then.`;
  }
  if (report.status === 'pending') {
    return report.deadline === null
      ? 'Pending: an approval is in progress.'
      : `Pending: waits for the payer's decision until ${report.deadline}.`;
  }
  return `Ended: ${report.status}.`;
}

/** Returns the text that the Temporal UI shows for the workflow's timer. */
export function timerSummary(report: PreauthorizationReport): string {
  return report.status === 'pending' ? 'until the decision is overdue' : 'until the approval ends unused';
}
