/** A claim in the Temporal UI: the current details and the search attributes. */
import { CLAIM_STATUS, DUE_AT, type RunDetails } from '@carecover/platform/workflow';
import { upsertSearchAttributes } from '@temporalio/workflow';
import type { ClaimView } from './steps';

/** Shows a claim's state. Adds an event to the history only if search attributes changed. @param before the state that was shown last */
export function showState(details: RunDetails, now: ClaimView, before: ClaimView): void {
  details.showState(now.words);
  if (now.status === 'none') return;
  const changed = [
    ...(now.status === before.status ? [] : [{ key: CLAIM_STATUS, value: now.status }]),
    ...(now.dueAt === before.dueAt
      ? []
      : [{ key: DUE_AT, value: now.dueAt === null ? null : new Date(now.dueAt) }]),
  ];
  if (changed.length > 0) upsertSearchAttributes(changed);
}
