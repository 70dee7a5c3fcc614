/** Hashes of what a caller sent: of the JSON value, not of its spelling, and keyed, since a body may name a member. */
import { createHmac } from 'node:crypto';
import { nextTurn } from './next-turn';

/** Characters that are hashed in one turn of the event loop: about a millisecond of work. */
const SLICE_CHARACTERS = 32 * 1024;

/** The canonical text in order, in pieces that are no longer than one name or scalar. */
function* canonicalPieces(value: unknown): Generator<string, void, undefined> {
  if (Array.isArray(value)) {
    let separator = '[';
    for (const item of value) {
      yield separator;
      yield* canonicalPieces(item);
      separator = ',';
    }
    yield value.length === 0 ? '[]' : ']';
  } else if (value !== null && typeof value === 'object') {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    let separator = '{';
    for (const [name, member] of members) {
      yield `${separator}${JSON.stringify(name)}:`;
      yield* canonicalPieces(member);
      separator = ',';
    }
    yield members.length === 0 ? '{}' : '}';
  } else yield JSON.stringify(value) ?? 'null';
}

/** JSON text with the members of every object in code-unit order; equal for equal JSON values (RFC 8785's idea). */
export function canonicalJson(value: unknown): string {
  return [...canonicalPieces(value)].join('');
}

/**
 * The keyed hash by which a retried request is recognised: of its path and JSON value. A long value is hashed over several turns
 * of the event loop.
 */
export async function requestHash(path: string, body: unknown, secret: string): Promise<Buffer> {
  const hash = createHmac('sha256', secret).update(path).update('\0');
  let slice = '';
  for (const piece of canonicalPieces(body ?? null)) {
    slice += piece;
    if (slice.length < SLICE_CHARACTERS) continue;
    hash.update(slice);
    slice = '';
    await nextTurn();
  }
  return hash.update(slice).digest();
}
