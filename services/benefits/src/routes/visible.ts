/** A token that is narrowed to some resources sees no other. */
import { type Caller, notFound } from '@carecover/platform';

/** The resource, if there is one that the caller may see. @throws Refusal resource_not_found */
export function visible<T>(caller: Caller, id: string, resource: T | null): T {
  const isHidden = caller.resourceIds !== null && !caller.resourceIds.includes(id);
  if (resource === null || isHidden) throw notFound();
  return resource;
}
