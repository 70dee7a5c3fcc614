/** Hashes requests by their JSON value, independent of whitespace and member order. The hash is keyed, because a body may name a member. */
import { createHmac } from 'node:crypto';
import { canonicalPieces } from '@carecover/domain';
import { runInTurns } from '@carecover/process';

/** Characters hashed per turn of the event loop: about a millisecond of work. */
const SLICE_CHARACTERS = 32 * 1024;

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
