/** What a credential that was let in may do: its scopes, where it may be used from, and the resources to which it is narrowed (403). */
import { grants, type Operation } from '@carecover/contract';
import { Refusal } from '@carecover/platform';
import type { Admission } from './store/admission';

function denied(message: string): Refusal {
  return new Refusal('permission_denied', message);
}

/** @param origin the Origin header, empty where there is none. @throws Refusal permission_denied */
export function checkPermission(operation: Operation, caller: Admission, origin: string): void {
  const isToken = caller.tokenId !== null;
  if (origin !== '' && !isToken) {
    throw denied(
      'A secret key must not be used from a browser (/headers/Origin); use a token of POST /tokens.',
    );
  }
  if (origin !== '' && !caller.allowedOrigins.includes(origin)) {
    throw denied("/headers/Origin is not one of the project's allowed origins.");
  }
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
