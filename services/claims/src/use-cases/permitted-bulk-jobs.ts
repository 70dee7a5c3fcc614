/**
 * Which bulk jobs a credential can use: those of the kinds whose scopes it has. The gateway admits a credential with the scope of one kind,
 * because only this service knows the kind of a job.
 */
import { type BulkJobKind, bulkJobKinds, grants, scopesOfBulkJobKinds } from '@carecover/contract';
import { ApiError, type Caller } from '@carecover/domain';

/** Returns the kinds of jobs whose scopes the caller's credential has. */
export function permittedKinds({ scopes }: Caller): BulkJobKind[] {
  return bulkJobKinds.filter((kind) => grants(scopes, scopesOfBulkJobKinds[kind]));
}

/** Checks that the caller's credential has the scope of a kind of jobs. @throws ApiError permission_denied */
export function requireKind(caller: Caller, kind: BulkJobKind): void {
  if (!permittedKinds(caller).includes(kind))
    throw new ApiError(
      'permission_denied',
      `Bulk jobs of the kind ${kind} require the scope ${scopesOfBulkJobKinds[kind]}.`,
    );
}
