/** Identifiers: a prefix and a UUIDv7 (RFC 9562) without dashes, so that they sort by creation time. */
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { v7 } from 'uuid';
import { activeProjectTime, type WorkIds } from './project-time';

/**
 * Generates an identifier. Within a process, later identifiers sort after earlier ones. In work for a simulated project, the identifier has
 * the time of the project, and with a seed all of it follows from the seed and the work.
 *
 * @example newId('clm_') // 'clm_019a…'
 */
export function newId<P extends string>(prefix: P): `${P}${string}` {
  const time = activeProjectTime();
  const id =
    time === undefined
      ? v7()
      : v7({
          msecs: time.nowMs,
          ...(time.ids === undefined ? { seq: nextSequence() } : numberedParts(time.ids)),
        });
  return `${prefix}${id.replaceAll('-', '')}`;
}

/** The bits of the sequence number of an ID: those of the place of the work, those of the number of the ID in the work, and those of a hash. */
const BITS = { order: 14, index: 11, hash: 6 } as const;

/** Returns the parts of an ID after its time: its place, by which it is ordered, and 48 bits, random or of a hash. */
function numberedParts(ids: WorkIds): { readonly seq: number; readonly random: Uint8Array } {
  const { index, name } = ids.next();
  const random = ids.seed === null ? randomBytes(17) : createHmac('sha256', ids.seed).update(name).digest();
  const place = ((ids.order ?? 0) % 2 ** BITS.order) * 2 ** BITS.index + (index % 2 ** BITS.index);
  return {
    seq: place * 2 ** BITS.hash + ((random[16] ?? 0) % 2 ** BITS.hash),
    random: random.subarray(0, 16),
  };
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
