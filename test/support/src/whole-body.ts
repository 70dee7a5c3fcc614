/** What a server of a suite is sent by processes that the suite kills: whole, or not at all. */
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

/** Gives undefined where the sender broke off in the middle: that was not received, and nobody waits for an answer. */
export async function wholeBody(request: IncomingMessage): Promise<string | undefined> {
  return text(request).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNRESET') return undefined;
    throw error;
  });
}
