/** The claims that wait for an adjudication, and what the forms that decide them have in common. */
import type { Claim } from '@carecover/contract';
import type { PageRequest } from '../page';

/** The fields of a decision that do not depend on the claim. */
export const DECISION_FIELDS = {
  policy_reference: 'Policy reference',
  policy_version: 'Policy version',
  reason_codes: 'Reason codes, separated by commas',
};

/** The fields whose values the form of the next decision suggests, because they are mostly the same. */
export const KEPT_FIELDS = Object.keys(DECISION_FIELDS) as (keyof typeof DECISION_FIELDS)[];

/**
 * Returns the state of a claim on which its decision depends, as a text without commas: a person confirms it, so that a decision of another
 * person, evidence or a cancellation since then is noticed.
 */
export function stateOf({ id, status, submission_version, adjudication }: Claim): string {
  return [id, status, submission_version, adjudication?.id ?? 'none'].join(' ');
}

/** Returns the fields of an adjudication by which the service rejects it if another person's decision or evidence came after the claim was read. */
export function expectedVersions({ submission_version, adjudication }: Claim) {
  return {
    expected_submission_version: submission_version,
    expected_adjudication_version: adjudication?.version ?? 0,
  };
}

/** Reads the claims that wait for an adjudication, longest waiting first; none while the claims service can't read them. */
export async function readQueue({ calls, project }: PageRequest) {
  const found = await calls.readIfAvailable<{ readonly data: readonly Claim[]; readonly has_more: boolean }>(
    'claims',
    project,
    '/oldest_claims/submitted',
  );
  return {
    data: [...(found?.data ?? [])].sort((a, b) => a.updated_at.localeCompare(b.updated_at)),
    hasMore: found?.has_more === true,
  };
}

/** Returns the claim of the queue after the given one; undefined at its end. */
export function nextOf(queue: readonly Claim[], claimId: string): Claim | undefined {
  const place = queue.findIndex(({ id }) => id === claimId);
  return queue[place + 1] ?? queue.find(({ id }) => id !== claimId);
}
