/** What an operator reads of a pre-authorization in the engine's pages. No member, and nothing of the care. */
import type { PreauthorizationReport } from './ports';

/** How it stands, in a sentence. */
export function inWords(report: PreauthorizationReport): string {
  if (report.status === 'approved' && report.usedByClaimId !== null) {
    return `Approved and used by ${report.usedByClaimId}: nothing is due. It comes back when the claim frees it.`;
  }
  if (report.status === 'approved') {
    return `Approved: one session is reserved. Expires at ${report.deadline} unless a claim uses it.`;
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
