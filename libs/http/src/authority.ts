/**
 * Authorities: the texts that are recorded as the author of a change. This file has the table of which issuer of signed contexts may state
 * which authority, and to which services. See docs/decisions/0044-one-key-per-issuer.md.
 */

import type { Issuer } from '@carecover/config';
import { type ServiceName, WILDCARD_SCOPE } from '@carecover/contract';
import { ApiError, type Caller, storedTenant, type Tenant } from '@carecover/domain';

const OPERATOR = 'operator:';

const projectPrefix = (tenant: Tenant) => `project:${tenant}/key:`;

/** Returns the authority of a project's key, or of a token that was created with the key: `project:<id>/key:<id>[/token:<id>]`. */
export function projectAuthority(tenant: Tenant, keyId: string, tokenId: string | null): string {
  const key = `${projectPrefix(tenant)}${keyId}`;
  return tokenId === null ? key : `${key}/token:${tokenId}`;
}

/**
 * Returns the authority of a service, `service:<name>`: the text that is recorded with changes which the service makes without a request of
 * a client.
 */
export function serviceAuthority(service: string): string {
  return `service:${service}`;
}

/**
 * Returns the authority of an operator, `operator:<name>`: the text that is recorded with the operator's changes.
 *
 * @param name the operator of the CLI, or the subject of the person in the console
 */
export function operatorAuthority(name: string): string {
  return `${OPERATOR}${name}`;
}

/** Returns the name of the operator who is the caller. @throws ApiError permission_denied if the caller is not an operator */
export function requireOperator({ authority }: Pick<Caller, 'authority'>): string {
  if (!authority.startsWith(OPERATOR))
    throw new ApiError('permission_denied', 'The request needs the signed context of an operator.');
  return authority.slice(OPERATOR.length);
}

/** Makes the caller for work that a service does without a request of a client, such as a sweep or a workflow step. */
export function serviceCaller(
  tenant: string,
  environment: Caller['environment'],
  service: string,
  requestId: string,
): Caller {
  return {
    tenant: storedTenant(tenant),
    environment,
    authority: serviceAuthority(service),
    requestId,
    scopes: [WILDCARD_SCOPE],
    resourceIds: null,
    consentDefault: 'withdrawn',
    endpointLimit: 0,
  };
}

type Stated = Pick<Caller, 'tenant' | 'authority'>;

interface IssuerRule {
  /** Returns whether the issuer may state the authority in the tenant. */
  readonly mayState: (stated: Stated) => boolean;
  /** The services that accept contexts of the issuer. */
  readonly audiences: readonly ServiceName[];
}

const service = (issuer: Issuer, ...audiences: readonly ServiceName[]): IssuerRule => ({
  mayState: ({ authority }) => authority === serviceAuthority(issuer),
  audiences,
});

/** What each issuer may state. A context that says something else is rejected, although its signature is valid. */
export const ISSUER_RULES: Readonly<Record<Issuer, IssuerRule>> = {
  gateway: {
    mayState: ({ tenant, authority }) => authority.startsWith(projectPrefix(tenant)),
    audiences: ['care', 'benefits', 'claims', 'payments', 'webhooks'],
  },
  console: {
    mayState: ({ authority }) => authority.startsWith(OPERATOR),
    audiences: ['gateway', 'care', 'benefits', 'claims', 'payments', 'webhooks'],
  },
  care: service('care', 'benefits'),
  benefits: service('benefits', 'care'),
  claims: service('claims', 'care', 'benefits', 'payments'),
  payments: service('payments', 'claims'),
};

/** The issuers whose contexts the operations of the API accept. A service has internal routes instead. */
export const ISSUERS_OF_OPERATIONS: readonly Issuer[] = ['gateway', 'console'];
/** The issuers whose contexts the routes below `/operator` accept. */
export const ISSUERS_OF_OPERATOR_ROUTES: readonly Issuer[] = ['console'];
