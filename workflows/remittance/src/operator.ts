/** A remittance in the Temporal UI: the current details and the search attributes. */
import { DUE_AT, REMITTANCE_STATUS, type RunDetails } from '@carecover/platform/workflow';
import { upsertSearchAttributes } from '@temporalio/workflow';
import type { RemittanceState } from './steps';

/** Shows a remittance's state. Adds an event to the history only if the status changed. @param before the state that was shown last, or null */
export function showState(details: RunDetails, now: RemittanceState, before: RemittanceState | null): void {
  details.showState(formatDetails(now));
  if (now.status === before?.status) return;
  upsertSearchAttributes([
    { key: REMITTANCE_STATUS, value: now.status },
    { key: DUE_AT, value: now.status === 'received' ? new Date(now.deadline) : null },
  ]);
}

/** Formats the current details as Markdown; amounts are in minor units. */
function formatDetails(state: RemittanceState): string {
  const { status, currency, total, settled, deadline, pending } = state;
  const lines = [
    `**${status}**`,
    `${settled} of ${total} ${currency} (minor units) settled`,
    status === 'received' ? `Waits for settlements until ${deadline}` : null,
    pending.length === 0 ? null : `${pending.length} notification(s) to claims pending`,
  ];
  return lines.filter((line) => line !== null).join('\n\n');
}
