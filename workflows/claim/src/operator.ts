/** What an operator sees of a claim in the Temporal UI: how it stands, in words, and search attributes to find it by. */
import { CLAIM_STATUS, DUE_AT } from '@carecover/platform/workflow';
import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import type { ClaimView } from './steps';

/** Writes history only where search attributes change. @param before what was shown last; before the first time, nothing due */
export function showState(now: ClaimView, before: ClaimView): void {
  setCurrentDetails(now.words);
  if (now.status === 'none') return;
  const changed = [
    ...(now.status === before.status ? [] : [{ key: CLAIM_STATUS, value: now.status }]),
    ...(now.dueAt === before.dueAt
      ? []
      : [{ key: DUE_AT, value: now.dueAt === null ? null : new Date(now.dueAt) }]),
  ];
  if (changed.length > 0) upsertSearchAttributes(changed);
}
