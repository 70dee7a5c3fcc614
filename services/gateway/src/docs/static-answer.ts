/**
 * Answers that are the same bytes for everyone: made and compressed once, shared by all who ask, and not sent again to whoever
 * has them. A large one goes out piece by piece, so that a slow reader holds one piece and not a copy of the whole.
 */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import type { GatewayContext } from '../request-state';

export interface StaticAnswer {
  readonly type: string;
  readonly bytes: Buffer;
  /** Absent where it is not worth it. */
  readonly gzipped: Buffer | undefined;
  readonly etag: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Shorter ones fit one packet anyway. */
const WORTH_COMPRESSING_BYTES = 1_024;
const PIECE_BYTES = 16 * 1_024;

/** Names a content: equal for equal bytes. */
export function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('base64url').slice(0, 16);
}

export function staticAnswer(
  type: string,
  text: string | Buffer,
  headers: Readonly<Record<string, string>>,
): StaticAnswer {
  const bytes = Buffer.from(text);
  return {
    type,
    bytes,
    gzipped: bytes.length >= WORTH_COMPRESSING_BYTES ? gzipSync(bytes) : undefined,
    etag: hashOf(bytes),
    headers,
  };
}

function* pieces(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}

/** Answers GET and HEAD; 304 where the caller has it. */
export function sendStatic(ctx: GatewayContext, answer: StaticAnswer): void {
  const gzipped = ctx.acceptsEncodings('gzip', 'identity') === 'gzip' ? answer.gzipped : undefined;
  const bytes = gzipped ?? answer.bytes;
  ctx.status = 200;
  ctx.set(answer.headers);
  ctx.type = answer.type;
  if (answer.gzipped !== undefined) ctx.vary('Accept-Encoding');
  if (gzipped !== undefined) ctx.set('Content-Encoding', 'gzip');
  ctx.etag = gzipped === undefined ? answer.etag : `${answer.etag}.gz`;
  if (ctx.fresh) {
    ctx.remove('Content-Encoding');
    ctx.status = 304;
    return;
  }
  const isLarge = bytes.length > PIECE_BYTES && ctx.method === 'GET';
  ctx.body = isLarge ? Readable.from(pieces(bytes), { objectMode: false }) : bytes;
  ctx.length = bytes.length;
}
