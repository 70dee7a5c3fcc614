/**
 * What an operator sees of a pre-authorization in the Temporal UI: how it stands, in words, and search attributes to find it by.
 * No member, and nothing of the care.
 */
import { DUE_AT, PREAUTHORIZATION_STATUS } from '@carecover/platform/workflow';
import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import type { PreauthorizationReport } from './steps';

/** @param dueAtMs when its timer wakes it, by the engine's clock; null where nothing is due */
export function showState(now: PreauthorizationReport, dueAtMs: number | null): void {
  setCurrentDetails(inWords(now));
  upsertSearchAttributes([
    { key: PREAUTHORIZATION_STATUS, value: now.status },
    { key: DUE_AT, value: dueAtMs === null ? null : new Date(dueAtMs) },
  ]);
}

function inWords(report: PreauthorizationReport): string {
  if (report.status === 'approved' && report.usedByClaimId !== null) {
    return `Approved and used by ${report.usedByClaimId}: nothing is due. The claim's cancellation or reversal makes it available again.`;
  }
  if (report.status === 'approved') {
    return `Approved: one session is reserved. Expires at ${report.deadline} unless a claim has used it by then.`;
  }
  if (report.status === 'pending') {
    return report.deadline === null
      ? 'Pending: an approval is being carried out.'
      : `Pending: waits for the payer's decision until ${report.deadline}.`;
  }
  return `Over: ${report.status}.`;
}

/** What a timer waits for. */
export function timerWords(report: PreauthorizationReport): string {
  return report.status === 'pending' ? 'until the decision is overdue' : 'until the approval ends unused';
}
