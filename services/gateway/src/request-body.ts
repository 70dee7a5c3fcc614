/**
 * Reads a request's body within its limits: bytes (413), seconds (400) and media type (415). Failure policy: a body that is too slow or
 * too large gets a 4xx response, and the remaining bytes are discarded. A body never takes more memory than its operation's limit,
 * and all bodies together take at most what `memory-budget.ts` allows.
 */
import type { IncomingMessage } from 'node:http';
import type { FileUpload } from '@carecover/contract';
import { ApiError } from '@carecover/domain';
import { nextTurn } from '@carecover/process';
import type { Hold } from './memory-budget';

/** A body above this size is read one chunk per turn of the event loop. Otherwise libuv reads up to 2 MiB per connection in one turn. */
const LONG_BODY_BYTES = 64 * 1024;

/**
 * The bytes of memory that a chunk of a body takes beside its content. They count too, because a body in chunks of one byte takes hundreds
 * of times its length until it is complete.
 */
const CHUNK_BYTES = 512;

/** The time in milliseconds in which a complete body must arrive. */
const ARRIVAL_LIMIT_MS = 15_000;

/**
 * After a response that is sent before the whole body arrived, the rest of the body is discarded, so that the client can read the response.
 * If the rest exceeds one of these limits, the connection is reset.
 */
const DISCARD_LIMIT_BYTES = 16 * 1024 * 1024;
const DISCARD_LIMIT_MS = 5_000;

const UTF_8 = String.raw`(\s*;\s*charset\s*=\s*"?utf-8"?)?\s*;?`;

/** How a body may arrive: its media type and the time for it. */
interface BodyRules {
  readonly mediaType: string;
  readonly pattern: RegExp;
  /** The time in milliseconds in which a complete body must arrive. */
  readonly arrivalLimitMs: number;
}

const JSON_BODY: BodyRules = {
  mediaType: 'application/json',
  pattern: new RegExp(`^application/json${UTF_8}$`, 'i'),
  arrivalLimitMs: ARRIVAL_LIMIT_MS,
};

/** The rules for the form of OAuth 2.0 (RFC 6749). */
export const FORM_BODY: BodyRules = {
  mediaType: 'application/x-www-form-urlencoded',
  pattern: new RegExp(`^application/x-www-form-urlencoded${UTF_8}$`, 'i'),
  arrivalLimitMs: ARRIVAL_LIMIT_MS,
};

/** The headers of a request: every occurrence of each header, by its lower-case name. */
export type RequestHeaders = Readonly<Record<string, readonly string[] | undefined>>;

/** The headers with which a file is forwarded. */
export type UploadHeaders = Readonly<Record<'content-type' | 'content-encoding', string>>;

/** Returns whether the headers declare a body. */
function hasBody(request: IncomingMessage): boolean {
  return (
    request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0
  );
}

function tooLarge(limitBytes: number): ApiError {
  return new ApiError('payload_too_large', `The body must have at most ${limitBytes} bytes.`);
}

function connectionEnded(): ApiError {
  return new ApiError('validation_failed', 'The connection ended before the complete body arrived.');
}

/**
 * Returns the error for a Content-Type or Content-Encoding that the API does not accept, or null. Call it only for a request with a body.
 */
function mediaTypeProblem(request: IncomingMessage, { mediaType, pattern }: BodyRules): ApiError | null {
  if (!pattern.test(request.headers['content-type']?.trim() ?? '')) {
    return new ApiError('unsupported_media_type', `/headers/Content-Type must be ${mediaType}.`);
  }
  const encoding = request.headers['content-encoding']?.trim() || 'identity';
  if (encoding.toLowerCase() !== 'identity') {
    return new ApiError(
      'unsupported_media_type',
      '/headers/Content-Encoding must be absent: send the body uncompressed.',
    );
  }
  return null;
}

/**
 * Checks the headers of a file that is forwarded while it arrives.
 *
 * @throws ApiError payload_too_large, unsupported_media_type; validation_failed without a body
 */
export function checkUpload(headers: RequestHeaders, { formats, limitBytes }: FileUpload): UploadHeaders {
  const headerOf = (name: string) => headers[name]?.[0]?.trim() ?? '';
  if (headers['transfer-encoding'] === undefined && Number(headerOf('content-length') || 0) === 0)
    throw new ApiError('validation_failed', 'The body must be a file.');
  if (Number(headerOf('content-length') || 0) > limitBytes) throw tooLarge(limitBytes);
  const mediaTypes = formats.map(({ mediaType }) => mediaType);
  const given = headerOf('content-type');
  const mediaType = mediaTypes.find((each) => new RegExp(`^${each}${UTF_8}$`, 'i').test(given));
  if (mediaType === undefined)
    throw new ApiError('unsupported_media_type', `/headers/Content-Type must be ${mediaTypes.join(' or ')}.`);
  const encoding = headerOf('content-encoding').toLowerCase() || 'identity';
  if (encoding !== 'identity' && encoding !== 'gzip')
    throw new ApiError('unsupported_media_type', '/headers/Content-Encoding must be gzip or absent.');
  return { 'content-type': mediaType, 'content-encoding': encoding };
}

/**
 * Reads the body and adds the memory that it takes to `hold`, the request's part of the memory budget, as its chunks arrive. Returns
 * null for a request without a body.
 *
 * @throws ApiError payload_too_large, unsupported_media_type, validation_failed; service_unavailable if the budget is exceeded
 */
export async function readBody(
  request: IncomingMessage,
  limitBytes: number,
  hold: Pick<Hold, 'add'>,
  given: Partial<BodyRules> = {},
): Promise<Buffer | null> {
  const rules = { ...JSON_BODY, ...given };
  if (!hasBody(request)) return null;
  const declaredBytes = Number(request.headers['content-length'] ?? 0);
  if (declaredBytes > limitBytes) throw tooLarge(limitBytes);
  const typeProblem = mediaTypeProblem(request, rules);
  if (declaredBytes > 0 && typeProblem !== null) throw typeProblem;
  // The connection can end while the caller waits for the authentication: 'close' is not emitted a second time.
  if (request.destroyed) throw connectionEnded();
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
        hold.add(chunk.length + CHUNK_BYTES);
        chunks.push(chunk);
        if (size > LONG_BODY_BYTES) void pauseForOneTurn();
      } catch (error) {
        stop(() => reject(error));
      }
    };
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (typeProblem !== null) stop(() => reject(typeProblem));
      else if (size > limitBytes) stop(() => reject(tooLarge(limitBytes)));
      else keep(chunk);
    };
    const onEnd = () =>
      stop(() =>
        resolve(size === 0 ? null : chunks.length === 1 ? (chunks[0] ?? null) : Buffer.concat(chunks)),
      );
    const onClose = () => stop(() => reject(connectionEnded()));
    const timer = setTimeout(
      () => stop(() => reject(new ApiError('validation_failed', 'The body did not arrive in time.'))),
      rules.arrivalLimitMs,
    );
    request.on('data', onData).on('end', onEnd).on('close', onClose);
  });
}

/** Discards the rest of a body after an early response, and resets the connection if the rest exceeds the limits. */
export function discardRemainingBody(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  const timer = setTimeout(() => request.destroy(), DISCARD_LIMIT_MS).unref();
  let remainingBytes = DISCARD_LIMIT_BYTES;
  request.on('data', (chunk: Buffer) => {
    remainingBytes -= chunk.length;
    if (remainingBytes < 0) request.destroy();
  });
  request.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
  request.resume();
}
