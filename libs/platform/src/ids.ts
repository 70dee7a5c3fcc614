/** Identifiers: a prefix and a UUIDv7 (RFC 9562) without dashes, so that they sort by creation time. */
import { v7 } from 'uuid';

/**
 * Generates an identifier. Within a process, later identifiers sort after earlier ones.
 *
 * @example newId('clm_') // 'clm_019a…'
 */
export function newId<P extends string>(prefix: P): `${P}${string}` {
  return `${prefix}${v7().replaceAll('-', '')}`;
}
