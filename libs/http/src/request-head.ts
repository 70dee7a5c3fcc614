/** Checks the head of a request, its target and its header lines, before other code reads it. */
import type { Server } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import { ApiError } from '@carecover/domain';
import type { Context } from 'koa';

const MAX_HEADER_LINES = 2_000;

/**
 * Makes a server keep all header lines of a request, so that {@link checkRequestHead} can count them; the size of a head is limited. Above its
 * own limit, Node.js 20 drops lines without an error, so that a proxy and the server could read different values, and Node.js 24 responds
 * 431.
 */
export function keepHeaderLines<S extends Server | HttpsServer>(server: S): S {
  server.maxHeadersCount = 0;
  return server;
}

/** Checks the method of a request to a path that supports only one. @throws ApiError method_not_allowed */
export function requireMethod(ctx: Pick<Context, 'method' | 'set'>, method: string): void {
  if (ctx.method === method) return;
  ctx.set('Allow', method);
  throw new ApiError('method_not_allowed', `This path does not support the method ${ctx.method}.`);
}

/**
 * Checks that the request's target can be parsed, and that none of its header lines was dropped. Node.js accepts any text as target, and Koa
 * parses it at its first use: `http://[` would cause a TypeError there, and so an internal error that a client without a key can repeat.
 *
 * @throws ApiError validation_failed
 */
export function checkRequestHead(ctx: Pick<Context, 'path' | 'req'>): void {
  // `rawHeaders` has the name and the value of each line.
  if (ctx.req.rawHeaders.length > 2 * MAX_HEADER_LINES)
    throw new ApiError('validation_failed', `/headers must have at most ${MAX_HEADER_LINES} lines.`);
  try {
    void ctx.path;
  } catch {
    throw new ApiError('validation_failed', 'The request target must be a path or a valid URL.');
  }
}
