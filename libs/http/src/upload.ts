/** The body of a request that is a file, which is read or forwarded while it arrives. */
import type { IncomingMessage } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';

/**
 * Returns a stream of the body. The end of the stream does not end the connection, so that a response can be sent before the whole body has
 * arrived. The stream ends with an error if the connection ends first.
 *
 * @example for await (const chunk of uploadOf(request)) …
 */
export function uploadOf(request: IncomingMessage): Readable {
  const body = request.pipe(new PassThrough());
  // A reader gets the error from its own listener. Without a reader, the error has no effect.
  body.on('error', () => undefined);
  request.once('close', () => {
    if (!request.complete) body.destroy(new Error('the connection ended before the complete body arrived'));
  });
  return body;
}
