/** What an operator sees of a claim: search attributes to find it by, and the current details in words. */
import { CLAIM_STATUS, DUE_AT } from '@carecover/platform/workflow';
import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import type { ClaimView } from './steps';

/** Keeps what is shown equal to what is known, and writes history only where it changed. */
export class OperatorDisplay {
  private status: string | null = null;
  private dueAt: string | null = null;

  show(view: ClaimView): void {
    setCurrentDetails(view.words);
    if (view.status === 'none') return;
    const changed = [
      ...(view.status === this.status ? [] : [{ key: CLAIM_STATUS, value: view.status }]),
      ...(view.dueAt === this.dueAt
        ? []
        : [{ key: DUE_AT, value: view.dueAt === null ? null : new Date(view.dueAt) }]),
    ];
    if (changed.length > 0) upsertSearchAttributes(changed);
    this.status = view.status;
    this.dueAt = view.dueAt;
  }
}
