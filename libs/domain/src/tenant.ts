/**
 * Tenants, and which resources a caller can read. A `Tenant` comes from a verified context or from a row that a tenant wrote, and
 * every query needs one, so that no handler can omit the check.
 */
import type { Environment } from '@carecover/contract';
import { notFound } from './api-error';

/** The ID of a project whose caller was verified. */
export type Tenant = string & { readonly __tenant: unique symbol };

export interface Caller {
  readonly tenant: Tenant;
  readonly environment: Environment;
  /** Who sends the request: a key or token of a project, or a service. It is recorded with each decision. */
  readonly authority: string;
  readonly requestId: string;
  /** The scopes of the credential; `*` is all. Only an operation with the required scope `scope of the kind` reads them in a service. */
  readonly scopes: readonly string[];
  /** The IDs of the only resources that the credential can use, if it is a token restricted to resources; null for any other credential. */
  readonly resourceIds: readonly string[] | null;
  /** The consent that applies to a member of the project who has neither granted nor withdrawn it. */
  readonly consentDefault: 'granted' | 'withdrawn';
  /** The maximum number of active webhook endpoints of the project. */
  readonly endpointLimit: number;
  /** The currencies that the project accepts in requests; absent or null: all of the contract. */
  readonly currencies?: readonly string[] | null;
}

/** The owner of a resource. */
export type Owner = Pick<Caller, 'tenant' | 'environment'>;

/** A resource with its owner. It is the input of the resource's workflow. */
export interface OwnedResource extends Owner {
  readonly id: string;
}

/**
 * Converts a project ID to a tenant without a check. It is only for an ID from storage or from a workflow's input, which a verified
 * caller wrote.
 */
export function storedTenant(projectId: string): Tenant {
  return projectId as Tenant;
}

/**
 * Checks that the caller can read the resource with this ID. The gateway checks the paths of requests with restricted tokens too; the
 * services check again.
 *
 * @param pointer JSON pointer to the field of the body that has the ID; without it, the path has the ID
 * @throws ApiError resource_not_found if the caller's token is restricted to other resources
 */
export function requireVisible({ resourceIds }: Caller, id: string, pointer?: string): void {
  if (resourceIds !== null && !resourceIds.includes(id)) throw notFound(pointer);
}

/**
 * Returns the resource that a query found in the caller's project.
 *
 * @param resource the result of the query; null or undefined if it found none
 * @param pointer JSON pointer to the field of the body that has the ID; without it, the path has the ID
 * @throws ApiError resource_not_found if the query found no resource, or if the caller's token is restricted to other resources
 * @example return requireResource(caller, params.claim_id, await findClaim(tx, caller.tenant, params.claim_id));
 */
export function requireResource<T>(
  caller: Caller,
  id: string,
  resource: T | null | undefined,
  pointer?: string,
): T {
  requireVisible(caller, id, pointer);
  if (resource === null || resource === undefined) throw notFound(pointer);
  return resource;
}
