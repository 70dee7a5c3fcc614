/**
 * Responses with the same bytes for all clients: created and compressed once, and not sent to a client whose cache has them. A large
 * response is sent in pieces, so that a slow client causes one piece to stay in memory, not a copy of the whole response.
 */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import type { ParameterizedContext } from 'koa';
import { prefersGzip } from './negotiation';

/** What a static response is created from. */
export interface StaticContent {
  /** The media type. */
  readonly type: string;
  readonly content: string | Buffer;
  /** The content compressed with gzip; absent if it was not compressed before. */
  readonly gzipped?: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

export interface StaticResponse {
  readonly type: string;
  readonly bytes: Buffer;
  /** The content compressed with gzip; undefined for short content. */
  readonly gzipped: Buffer | undefined;
  readonly etag: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Content below this size is not compressed, because it fits into one packet. */
export const MIN_COMPRESSED_BYTES = 1_024;
const PIECE_BYTES = 16 * 1_024;

/** Returns a short hash of the content, for the ETag header. */
function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('base64url').slice(0, 16);
}

/**
 * Creates a response, and compresses its content if it is long enough and was not compressed before.
 *
 * @example createStaticResponse({ type: 'text/css; charset=utf-8', content, headers: { 'Cache-Control': 'no-cache' } });
 */
export function createStaticResponse({ type, content, gzipped, headers }: StaticContent): StaticResponse {
  const bytes = Buffer.from(content);
  return {
    type,
    bytes,
    gzipped: gzipped ?? (bytes.length >= MIN_COMPRESSED_BYTES ? gzipSync(bytes) : undefined),
    etag: hashOf(bytes),
    headers,
  };
}

function* splitIntoPieces(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += PIECE_BYTES)
    yield bytes.subarray(start, start + PIECE_BYTES);
}

/**
 * Responds to GET and HEAD; 304 if the client's cache has the content and `status` is 200.
 *
 * @example sendStaticResponse(ctx, response);
 */
export function sendStaticResponse<State>(
  ctx: ParameterizedContext<State>,
  response: StaticResponse,
  status = 200,
): void {
  const gzipped = prefersGzip(ctx) ? response.gzipped : undefined;
  const bytes = gzipped ?? response.bytes;
  ctx.status = status;
  ctx.set(response.headers);
  ctx.type = response.type;
  if (response.gzipped !== undefined) ctx.vary('Accept-Encoding');
  if (gzipped !== undefined) ctx.set('Content-Encoding', 'gzip');
  ctx.etag = gzipped === undefined ? response.etag : `${response.etag}.gz`;
  if (ctx.fresh) {
    ctx.remove('Content-Encoding');
    ctx.status = 304;
    return;
  }
  const isLarge = bytes.length > PIECE_BYTES && ctx.method === 'GET';
  ctx.body = isLarge ? Readable.from(splitIntoPieces(bytes), { objectMode: false }) : bytes;
  ctx.length = bytes.length;
}
