/**
 * Reads a request's body within its limits: bytes (413), seconds, and form (415). Failure policy: a sender that is too slow
 * or too large is answered with a 4xx while the rest of what it sends is thrown away unread, so a body never holds more
 * memory than its operation's limit, and all together no more than `held-bodies.ts` allows.
 */
import type { IncomingMessage } from 'node:http';
import { ApiError, nextTurn } from '@carecover/platform';
import type { Hold } from './request-body-budget';

/** From there on a body is read in slices of one chunk: libuv would read up to 2 MiB per connection in one turn of the event loop. */
const LONG_BODY_BYTES = 64 * 1024;

/** How long a whole body may take to arrive. */
const ARRIVAL_LIMIT_MS = 15_000;

/** How much, and how long, of an unread body is thrown away before the connection is cut: a polite client gets to read its answer. */
const DISCARD_LIMIT_BYTES = 16 * 1024 * 1024;
const DISCARD_LIMIT_MS = 5_000;

const JSON_TYPE = /^application\/json(\s*;\s*charset\s*=\s*"?utf-8"?)?\s*;?$/i;

/** Whether its head announces a body. */
export function hasBody(request: IncomingMessage): boolean {
  return (
    request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0
  );
}

function tooLarge(limitBytes: number): ApiError {
  return new ApiError('payload_too_large', `The body must have at most ${limitBytes} bytes.`);
}

/** What a body's headers have wrong; they count only where there is a body. */
function formProblem(request: IncomingMessage): ApiError | null {
  if (!JSON_TYPE.test(request.headers['content-type']?.trim() ?? '')) {
    return new ApiError('unsupported_media_type', '/headers/Content-Type must be application/json.');
  }
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') {
    return new ApiError(
      'unsupported_media_type',
      '/headers/Content-Encoding must be absent: send the body uncompressed.',
    );
  }
  return null;
}

/**
 * The body's bytes, or null where there is none; each is counted in `hold` as it comes.
 *
 * @throws ApiError payload_too_large, unsupported_media_type, validation_failed, or service_unavailable as `hold` does
 */
export async function readBody(
  request: IncomingMessage,
  limitBytes: number,
  hold: Pick<Hold, 'add'>,
  arrivalLimitMs = ARRIVAL_LIMIT_MS,
): Promise<Buffer | null> {
  if (!hasBody(request)) return null;
  const declaredBytes = Number(request.headers['content-length'] ?? 0);
  if (declaredBytes > limitBytes) throw tooLarge(limitBytes);
  const misformed = formProblem(request);
  if (declaredBytes > 0 && misformed !== null) throw misformed;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let isStopped = false;
    const stop = (outcome: () => void) => {
      isStopped = true;
      clearTimeout(timer);
      request.removeListener('data', onData).removeListener('end', onEnd).removeListener('close', onClose);
      request.pause();
      outcome();
    };
    const pauseForOneTurn = async () => {
      request.pause();
      await nextTurn();
      if (!isStopped) request.resume();
    };
    const keep = (chunk: Buffer) => {
      try {
        hold.add(chunk.length);
        chunks.push(chunk);
        if (size > LONG_BODY_BYTES) void pauseForOneTurn();
      } catch (error) {
        stop(() => reject(error));
      }
    };
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (misformed !== null) stop(() => reject(misformed));
      else if (size > limitBytes) stop(() => reject(tooLarge(limitBytes)));
      else keep(chunk);
    };
    const onEnd = () =>
      stop(() =>
        resolve(size === 0 ? null : chunks.length === 1 ? (chunks[0] ?? null) : Buffer.concat(chunks)),
      );
    const onClose = () =>
      stop(() => reject(new ApiError('validation_failed', 'The connection ended before the body did.')));
    const timer = setTimeout(
      () => stop(() => reject(new ApiError('validation_failed', 'The body did not arrive in time.'))),
      arrivalLimitMs,
    );
    request.on('data', onData).on('end', onEnd).on('close', onClose);
  });
}

/** After the answer: throws away what is left of the body, and cuts the connection where that is too much. */
export function discardRest(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  const timer = setTimeout(() => request.destroy(), DISCARD_LIMIT_MS).unref();
  let left = DISCARD_LIMIT_BYTES;
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) request.destroy();
  });
  request.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
  request.resume();
}
