/** Reads requests of processes that a suite can kill while they send. */
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

/** Reads a request's body. Returns undefined if the sender closed the connection before the end. */
export async function readWholeBody(request: IncomingMessage): Promise<string | undefined> {
  return text(request).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNRESET') return undefined;
    throw error;
  });
}
