/** The deadline of an information request. */
import { type InformationRequestInput, parseInstant } from '@carecover/contract';
import { ApiError } from '@carecover/platform';

/** Returns the deadline, or null for none. @param now epoch milliseconds @throws ApiError validation_failed if it is not in the future */
export function checkDueAt({ due_at }: Pick<InformationRequestInput, 'due_at'>, now: number): Date | null {
  if (due_at == null) return null;
  const dueAt = parseInstant(due_at);
  if (dueAt <= now) throw new ApiError('validation_failed', '/due_at must be in the future');
  return new Date(dueAt);
}
