/**
 * Bounds what a receiver can send in response to one request, in bytes on the connection. Limits on headers and on the body do not bound a
 * response: its reason phrase, its chunk extensions, and the whitespace around its parts can have any size.
 *
 * Failure policy: closed. A connection on which more arrives is destroyed, which ends the attempt.
 */
import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';

class ResponseTooLarge extends Error {
  override readonly name = 'ResponseTooLarge';
  readonly code = 'RESPONSE_TOO_LARGE';
}

/**
 * Returns a connector whose connections accept at most `maxBytes` per request: since the last bytes were sent. The connection must not send a
 * request before the response to the last one is complete (a pipelining of 1).
 */
export function boundedConnector(
  connect: buildConnector.connector,
  maxBytes: number,
): buildConnector.connector {
  return (options, callback) => {
    connect(options, (...[error, socket]) => {
      if (error !== null) {
        callback(error, null);
        return;
      }
      limitBytesPerRequest(socket, maxBytes);
      callback(null, socket);
    });
  };
}

function limitBytesPerRequest(socket: Socket, maxBytes: number): void {
  let sent = socket.bytesWritten;
  let received = socket.bytesRead;
  let receivedBefore = received;
  socket.on('readable', () => {
    if (socket.bytesWritten !== sent) {
      sent = socket.bytesWritten;
      receivedBefore = received;
    }
    received = socket.bytesRead;
    if (received - receivedBefore > maxBytes)
      socket.destroy(new ResponseTooLarge('the response is too large'));
  });
}
