/** What an operator sees of a remittance in the Temporal UI: how it stands, in words, and search attributes to find it by. */
import { DUE_AT, REMITTANCE_STATUS } from '@carecover/platform/workflow';
import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import type { RemittanceState } from './steps';

/** Writes history only where the status changes. @param before what was shown last, or null */
export function showState(now: RemittanceState, before: RemittanceState | null): void {
  setCurrentDetails(inWords(now));
  if (now.status === before?.status) return;
  upsertSearchAttributes([
    { key: REMITTANCE_STATUS, value: now.status },
    { key: DUE_AT, value: now.status === 'received' ? new Date(now.deadline) : null },
  ]);
}

/** Markdown; amounts in minor units, as everywhere. */
function inWords(state: RemittanceState): string {
  const { status, currency, total, settled, deadline, pending } = state;
  const lines = [
    `**${status}**`,
    `${settled} of ${total} ${currency} (minor units) settled`,
    status === 'received' ? `Waits for its money until ${deadline}` : null,
    pending.length === 0 ? null : `${pending.length} record(s) on their way to claims`,
  ];
  return lines.filter((line) => line !== null).join('\n\n');
}
