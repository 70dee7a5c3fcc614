/** Identifiers: a prefix and a UUIDv7 (RFC 9562) without dashes, so that they sort by creation time. */
import { createHash } from 'node:crypto';
import { v7 } from 'uuid';

/**
 * Generates an identifier. Within a process, later identifiers sort after earlier ones.
 *
 * @example newId('clm_') // 'clm_019a…'
 */
export function newId<P extends string>(prefix: P): `${P}${string}` {
  return `${prefix}${v7().replaceAll('-', '')}`;
}

/** Returns the first 128 bits of a text's SHA-256 in hexadecimal: a value of PostgreSQL's type uuid, which an index stores in 16 bytes. */
export function digest128(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
