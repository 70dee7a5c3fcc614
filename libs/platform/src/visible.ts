/**
 * A token that is narrowed to some resources sees no other: one that it may not see is answered as one that isn't there. The
 * gateway rejects most such requests by their path; here it is the services' own rule, as the tenant in each query is.
 */
import { notFound } from './api-error';
import type { Caller } from './tenant';

/** Before anything is read or done. @throws ApiError resource_not_found where the caller may not see this resource */
export function requireVisible({ resourceIds }: Caller, id: string): void {
  if (resourceIds !== null && !resourceIds.includes(id)) throw notFound();
}

/** What was found in the caller's project. @throws ApiError resource_not_found where it is nothing the caller may see */
export function visible<T>(caller: Caller, id: string, resource: T | null | undefined): T {
  requireVisible(caller, id);
  if (resource === null || resource === undefined) throw notFound();
  return resource;
}
