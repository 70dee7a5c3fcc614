/** Which credential a request presents: `Authorization: Bearer`, or `x-api-key` for clients that can't set that header. */
import type { IncomingMessage } from 'node:http';

/** The text that was presented, that there was none, or that what there was can't be one (another scheme, two different ones). */
export type Presented = { readonly text: string } | 'missing' | 'invalid';

const BEARER = /^Bearer +(\S+)$/i;

/** Reads both headers, every occurrence of each: two that differ are as good as a wrong one. */
export function presentedCredential(headers: IncomingMessage['headersDistinct']): Presented {
  const authorization = headers.authorization ?? [];
  const apiKey = headers['x-api-key'] ?? [];
  const given = [
    ...authorization.map((value) => (value.trim() === '' ? '' : (BEARER.exec(value.trim())?.[1] ?? null))),
    ...apiKey.map((value) => value.trim()),
  ].filter((value) => value !== '');
  const [first, ...others] = given;
  if (first === undefined) return 'missing';
  if (first === null || others.some((other) => other !== first)) return 'invalid';
  return { text: first };
}
