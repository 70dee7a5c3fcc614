/**
 * Who a request acts for. A `Tenant` is made only from a verified context (or read from a row that a tenant wrote), and
 * every query takes one, so that no handler can forget whose data it may see.
 */
import type { Environment } from '@carecover/contract';

export type Tenant = string & { readonly __tenant: unique symbol };

export interface Caller {
  readonly tenant: Tenant;
  readonly environment: Environment;
  /** `key_…` of project `prj_…`, as decisions record it. */
  readonly authority: string;
  readonly requestId: string;
  /** Where a token is limited to some resources: these alone; else null. */
  readonly resourceIds: readonly string[] | null;
  /** Whether a member without a recorded consent counts as having granted it. */
  readonly consentDefault: 'granted' | 'withdrawn';
  /** How many webhook endpoints of the project can be active at the same time. */
  readonly endpointLimit: number;
}

/** Whose a resource is. */
export type Owner = Pick<Caller, 'tenant' | 'environment'>;

/** A resource as a sweep finds it: what its workflow is started with. */
export interface Owned extends Owner {
  readonly id: string;
}

/** A tenant read back from storage or from a workflow's input, where it was written by a verified caller. */
export function storedTenant(projectId: string): Tenant {
  return projectId as Tenant;
}
