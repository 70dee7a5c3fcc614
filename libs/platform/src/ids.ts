/** The one maker of identifiers: a prefix and a UUIDv7 without dashes, so that identifiers sort by creation time. */
import { v7 } from 'uuid';

/** A new identifier such as `clm_019a…`; within a process, later ones sort after earlier ones. */
export function newId<P extends string>(prefix: P): `${P}${string}` {
  return `${prefix}${v7().replaceAll('-', '')}`;
}
