/** The kinds of bulk jobs: what a person calls their lines, and who can submit and change jobs of each. */
import { type BulkJobKind, bulkJobKinds } from '@carecover/contract';
import { notFound } from '@carecover/domain';
import { permits, type Role } from '../roles';

/** What each line of a file is, by kind. */
const LINES: Readonly<Record<BulkJobKind, string>> = {
  claims: 'a claim',
  adjudications: 'an adjudication',
  remittances: 'a remittance',
  settlements: 'a settlement',
  sessions: 'a session',
  eligibility_checks: 'an eligibility check',
};

/** The kinds that change remittances and settlements: their jobs need the permission `money` beside the one of the act. */
const MONEY: readonly BulkJobKind[] = ['remittances', 'settlements'];

/** Returns whether a person with the roles can submit and change jobs of a kind. */
export function canChange(roles: readonly Role[], kind: BulkJobKind): boolean {
  return permits(roles, 'adjudicate') && (!MONEY.includes(kind) || permits(roles, 'money'));
}

/** @throws ApiError resource_not_found if a person with the roles can't change jobs of the kind, as for an act without permission */
export function requireChangeable(roles: readonly Role[], kind: BulkJobKind): void {
  if (!canChange(roles, kind)) throw notFound();
}

/** Returns the kinds that a person with the roles can submit, with what each line of their files is. */
export function submittableKinds(roles: readonly Role[]): (readonly [BulkJobKind, string])[] {
  return bulkJobKinds.filter((kind) => canChange(roles, kind)).map((kind) => [kind, LINES[kind]]);
}
