/** Keeps what an operator sees of the workflow, its details and search attributes, in step with the facts. */
import { DUE_AT, REMITTANCE_STATUS } from '@carecover/platform/workflow';
import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import { details } from './details';
import type { RemittanceState } from './ledger';

/** @param before what was shown last, or null */
export function showState(now: RemittanceState, before: RemittanceState | null): void {
  setCurrentDetails(details(now));
  if (now.status === before?.status) return;
  upsertSearchAttributes([
    { key: REMITTANCE_STATUS, value: now.status },
    { key: DUE_AT, value: now.status === 'received' ? new Date(now.deadline) : null },
  ]);
}
