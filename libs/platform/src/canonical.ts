/** Hashes requests by their JSON value, independent of whitespace and member order. The hash is keyed, because a body may name a member. */
import { createHmac } from 'node:crypto';
import { runInTurns } from './next-turn';

/** Characters hashed per turn of the event loop: about a millisecond of work. */
const SLICE_CHARACTERS = 32 * 1024;

/** Yields the canonical JSON of a value in pieces of at most one name or scalar. */
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

/** Returns JSON text with the members of every object in code-unit order, equal for equal JSON values (as RFC 8785 does). */
export function canonicalJson(value: unknown): string {
  return [...canonicalPieces(value)].join('');
}

/**
 * Returns the keyed hash of a request's path and JSON value, by which a retry is recognized. A long value is hashed in several turns
 * of the event loop.
 */
export function requestHash(path: string, body: unknown, secret: string): Promise<Buffer> {
  return runInTurns(hashInSteps(path, body, secret));
}

function* hashInSteps(path: string, body: unknown, secret: string): Generator<void, Buffer, void> {
  const hash = createHmac('sha256', secret).update(path).update('\0');
  let slice = '';
  for (const piece of canonicalPieces(body ?? null)) {
    slice += piece;
    if (slice.length < SLICE_CHARACTERS) continue;
    hash.update(slice);
    slice = '';
    yield;
  }
  return hash.update(slice).digest();
}
