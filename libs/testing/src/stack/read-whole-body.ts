/** Reads requests whose sender a test can kill while it sends them. */
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

/** Reads the body of a request. Returns undefined if the sender closed the connection before the end of the body. */
export async function readWholeBody(request: IncomingMessage): Promise<string | undefined> {
  return text(request).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNRESET') return undefined;
    throw error;
  });
}
