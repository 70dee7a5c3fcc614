/** Extracts the credential of a request from `Authorization: Bearer`, or from `x-api-key` for clients that can't set that header. */
import type { IncomingMessage } from 'node:http';

/** The presented text; `missing`: none; `invalid`: another scheme, or two different texts. */
export type PresentedCredential = { readonly text: string } | 'missing' | 'invalid';

const BEARER = /^Bearer +(\S+)$/i;

/** Reads every occurrence of both headers. Two different credentials are invalid. */
export function extractCredential(headers: IncomingMessage['headersDistinct']): PresentedCredential {
  const authorization = headers.authorization ?? [];
  const apiKey = headers['x-api-key'] ?? [];
  const presented = [
    ...authorization.map((value) => (value.trim() === '' ? '' : (BEARER.exec(value.trim())?.[1] ?? null))),
    ...apiKey.map((value) => value.trim()),
  ].filter((value) => value !== '');
  const [first, ...others] = presented;
  if (first === undefined) return 'missing';
  if (first === null || others.some((other) => other !== first)) return 'invalid';
  return { text: first };
}
