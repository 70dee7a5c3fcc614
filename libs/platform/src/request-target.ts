/** Checks the target of a request, the text after its method, before other code reads it. */
import type { Context } from 'koa';
import { ApiError } from './api-error';

/**
 * Checks that the request's target can be parsed. Node.js accepts any text, and Koa parses it at its first use: `http://[` would cause a
 * TypeError there, and so an internal error that a client without a key can repeat.
 *
 * @throws ApiError validation_failed
 */
export function checkRequestTarget(ctx: Pick<Context, 'path'>): void {
  try {
    void ctx.path;
  } catch {
    throw new ApiError('validation_failed', 'The request target must be a path or a valid URL.');
  }
}
