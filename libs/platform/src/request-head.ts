/** Checks the head of a request, its target and its header lines, before other code reads it. */
import type { Server } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { Context } from 'koa';
import { ApiError } from './api-error';

const MAX_HEADER_LINES = 2_000;

/**
 * Makes a server keep one header line more than {@link checkRequestHead} accepts. Node.js keeps about 1,000 lines by default, and drops the
 * rest without an error, so that a proxy and the server could read different values.
 */
export function keepHeaderLines<S extends Server | HttpsServer>(server: S): S {
  server.maxHeadersCount = MAX_HEADER_LINES + 1;
  return server;
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
