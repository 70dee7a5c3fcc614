/** Reads the body of a request, which has a maximum length. */
import { ApiError } from '@carecover/domain';
import type { Context } from 'koa';

/** What is read and dropped of a body that is too long, in multiples of its maximum, so that the client can read the error. */
const DROPPED = 8;

/** Returns the body. @param what the body in the message of the error @throws ApiError payload_too_large */
export async function readBody(ctx: Context, maximum: number, what: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of ctx.req) {
    size += chunk.length;
    if (size > maximum * DROPPED) break;
    if (size <= maximum) chunks.push(chunk);
  }
  if (size <= maximum) return Buffer.concat(chunks);
  throw new ApiError('payload_too_large', `${what} is too long.`);
}
