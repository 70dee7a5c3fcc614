/** Identifiers: a prefix and a UUIDv7 (RFC 9562) without dashes, so that they sort by creation time. */
import { createHash } from 'node:crypto';
import { v7 } from 'uuid';
import { activeProjectTime } from './project-time';

/**
 * Generates an identifier. Within a process, later identifiers sort after earlier ones. In work for a simulated project, the identifier has
 * the time of the project.
 *
 * @example newId('clm_') // 'clm_019a…'
 */
export function newId<P extends string>(prefix: P): `${P}${string}` {
  const time = activeProjectTime();
  const id = time === undefined ? v7() : v7({ msecs: time.nowMs, seq: nextSequence() });
  return `${prefix}${id.replaceAll('-', '')}`;
}

let lastSequence = 0;

/** Returns the sequence number of an ID with a simulated time. It follows the real time, so that it grows in all replicas of a service. */
function nextSequence(): number {
  lastSequence = Math.max(lastSequence + 1, Date.now());
  return lastSequence % 2 ** 31;
}

/** Returns the first 128 bits of a text's SHA-256 in hexadecimal: a value of PostgreSQL's type uuid, which an index stores in 16 bytes. */
export function digest128(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
