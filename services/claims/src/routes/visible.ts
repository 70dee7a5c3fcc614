/** A token that is narrowed to some resources sees no other. */
import { type Caller, notFound } from '@carecover/platform';

/** @throws Refusal resource_not_found where the caller may not see this claim */
export function requireVisible(caller: Caller, claimId: string): void {
  if (caller.resourceIds !== null && !caller.resourceIds.includes(claimId)) throw notFound();
}
