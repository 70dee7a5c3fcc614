/** Hashes of what a caller sent: of the JSON value, not of its spelling, and keyed, since a body may name a member. */
import { createHmac } from 'node:crypto';

/** JSON text with the members of every object in code-unit order; equal for equal JSON values (RFC 8785's idea). */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (value !== null && typeof value === 'object') {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
      .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`);
    return `{${members.join(',')}}`;
  }
  return JSON.stringify(value) ?? 'null';
}

/** The keyed hash by which a retried request is recognised: of its path and JSON value. */
export function requestHash(path: string, body: unknown, secret: string): Buffer {
  return createHmac('sha256', secret)
    .update(path)
    .update('\0')
    .update(canonicalJson(body ?? null))
    .digest();
}
