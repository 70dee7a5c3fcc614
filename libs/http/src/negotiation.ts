/**
 * Content negotiation (RFC 9110, section 12.5). A header of more than 1,000 characters names no accepted format: to parse 16 KiB would
 * take much longer than the rest of a request.
 */
import type { ParameterizedContext } from 'koa';

const MAX_HEADER_LENGTH = 1_000;

/**
 * Returns the media type or extension that the client prefers; false if it accepts none of them, or if its Accept header is too long.
 *
 * @example preferredType(ctx, ['json', 'html']) // 'json' without the header
 */
export function preferredType<State, Type extends string>(
  ctx: ParameterizedContext<State>,
  types: readonly [Type, ...Type[]],
): Type | false {
  if (ctx.get('accept').length > MAX_HEADER_LENGTH) return false;
  const accepted = ctx.accepts(...types);
  return types.find((type) => type === accepted) ?? false;
}

/** Returns whether the client accepts gzip and prefers it to an uncompressed response; false if its Accept-Encoding header is too long. */
export function prefersGzip<State>(ctx: ParameterizedContext<State>): boolean {
  if (ctx.get('accept-encoding').length > MAX_HEADER_LENGTH) return false;
  return ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
}
