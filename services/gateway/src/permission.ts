/** What a credential that was let in may do: where it may be used from, its scopes, and the resources to which it is narrowed (403). */
import { grants, type Operation } from '@carecover/contract';
import { ApiError } from '@carecover/platform';
import type { Next } from 'koa';
import { admissionOf, type GatewayContext } from './request-state';
import type { Admission } from './store/admission';

function denied(message: string): ApiError {
  return new ApiError('permission_denied', message);
}

function checkOrigin({ tokenId, allowedOrigins }: Admission, origin: string): void {
  if (origin === '') return;
  if (tokenId === null) {
    throw denied(
      'A secret key must not be used from a browser (/headers/Origin); use a token of POST /tokens.',
    );
  }
  if (!allowedOrigins.includes(origin)) {
    throw denied("/headers/Origin is not one of the project's allowed origins.");
  }
}

/** Lets through what is sent from where its credential may be used, whatever it asks for. */
export function usedWhereAllowed() {
  return async (ctx: GatewayContext, next: Next): Promise<void> => {
    checkOrigin(admissionOf(ctx), ctx.get('origin'));
    await next();
  };
}

/** @throws ApiError permission_denied */
export function checkPermission(operation: Operation, caller: Admission): void {
  const isToken = caller.tokenId !== null;
  if (isToken && operation.scope === 'secret key') throw denied('Only a secret key may do this.');
  if (!grants(caller.scopes, operation.scope)) throw denied(`This needs the scope ${operation.scope}.`);
  if (caller.resourceIds !== null && operation.creates === true) {
    throw denied('A token that is narrowed to resources creates none.');
  }
}

/** Whether a token that is narrowed to resources reaches the one that the path names. */
export function reaches(
  operation: Operation,
  params: Readonly<Record<string, string>>,
  caller: Admission,
): boolean {
  const { resourceIdParam } = operation;
  if (caller.resourceIds === null || resourceIdParam === undefined) return true;
  return caller.resourceIds.includes(params[resourceIdParam] ?? '');
}
