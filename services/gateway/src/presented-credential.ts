/**
 * Extracts the credential of a request: from `Authorization: Bearer`, from `Authorization: Basic` with the credential as the user
 * name and an empty password (RFC 7617), or from `x-api-key` for clients that can't set that header.
 */
import type { IncomingMessage } from 'node:http';

/** The text of a request's credential; `missing`: there is none; `invalid`: a header is not well formed, or there are two credentials. */
export type PresentedCredential = { readonly text: string } | 'missing' | 'invalid';

const BEARER = /^Bearer +(\S+)$/i;
const BASIC = /^Basic +([A-Za-z0-9+/]+={0,2})$/i;
/** Matches the decoded value of Basic: a user name in visible ASCII except the colon, and an empty password. */
const USER_NAME = /^([!-9;-~]+):$/;

/** Returns the credential in an Authorization header, or null if the header is not well formed. */
function credentialIn(authorization: string): string | null {
  const encoded = BASIC.exec(authorization)?.[1];
  if (encoded === undefined) return BEARER.exec(authorization)?.[1] ?? null;
  return USER_NAME.exec(Buffer.from(encoded, 'base64').toString('latin1'))?.[1] ?? null;
}

/**
 * Extracts the credential from all values of the headers Authorization and x-api-key. Returns `invalid` for two different credentials, and
 * for two different values of Authorization.
 */
export function extractCredential(headers: IncomingMessage['headersDistinct']): PresentedCredential {
  const valuesOf = (name: string) =>
    new Set((headers[name] ?? []).map((value) => value.trim()).filter((value) => value !== ''));
  const authorizations = [...valuesOf('authorization')];
  const presented = new Set([...authorizations.map(credentialIn), ...valuesOf('x-api-key')]);
  const [first] = presented;
  if (first === undefined) return 'missing';
  if (first === null || presented.size > 1 || authorizations.length > 1) return 'invalid';
  return { text: first };
}
