/** Checks the permissions of an admitted credential: the origins that can use it, its scopes, and the resources of a narrowed token. */
import { alternativesOf, grants, type Operation } from '@carecover/contract';
import { ApiError } from '@carecover/domain';
import type { Next } from 'koa';
import { admissionOf, type GatewayContext } from './request-state';
import type { Admission } from './store/admissions';

function denied(message: string): ApiError {
  return new ApiError('permission_denied', message);
}

function checkOrigin({ tokenId, allowedOrigins }: Admission, origin: string, ownOrigin: string): void {
  if (origin === '') return;
  if (tokenId === null) {
    throw denied(
      'A secret key must not be used from a browser (/headers/Origin); use a token of POST /tokens.',
    );
  }
  if (origin !== ownOrigin && !allowedOrigins.includes(origin)) {
    throw denied("/headers/Origin is not one of the project's allowed origins.");
  }
}

/**
 * Creates the middleware that rejects a request, for any path, from an origin that must not use the credential (403). A token can be used
 * from the gateway's own origin, which is that of the API reference.
 */
export function requireAllowedOrigin() {
  return async (ctx: GatewayContext, next: Next): Promise<void> => {
    checkOrigin(admissionOf(ctx), ctx.get('origin'), ctx.state.origin);
    await next();
  };
}

/** Checks the scope, and that a token that can use only named resources creates no resource. @throws ApiError permission_denied */
export function checkPermission(operation: Operation, caller: Admission): void {
  const isToken = caller.tokenId !== null;
  if (isToken && operation.scope === 'secret key') throw denied('This operation requires a secret key.');
  if (!grants(caller.scopes, operation.scope)) {
    const alternatives = alternativesOf(operation.scope);
    const which = alternatives.length === 1 ? 'the scope' : 'one of the scopes';
    throw denied(`This operation requires ${which} ${alternatives.join(', ')}.`);
  }
  if (caller.resourceIds !== null && operation.creates === true) {
    throw denied("A token that is narrowed to resources can't create resources.");
  }
}

/** Returns whether a narrowed token includes the resource in the path; true for any other credential. */
export function canReach(
  operation: Operation,
  params: Readonly<Record<string, string>>,
  caller: Admission,
): boolean {
  const { resourceIdParam } = operation;
  if (caller.resourceIds === null || resourceIdParam === undefined) return true;
  return caller.resourceIds.includes(params[resourceIdParam] ?? '');
}
