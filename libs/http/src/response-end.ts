/**
 * Runs a function when the response to a request has ended. Node.js does not emit `close` for every response: if a connection is lost
 * while a response waits for an earlier one of the same connection (HTTP/1.1 pipelining), the waiting response emits no further event.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The functions to call when a response or a connection closes. */
const releases = new WeakMap<ServerResponse | Socket, Set<() => void>>();

function releasesOf(closing: ServerResponse | Socket): Set<() => void> {
  const known = releases.get(closing);
  if (known !== undefined) return known;
  const created = new Set<() => void>();
  releases.set(closing, created);
  // There is one listener for all functions: their number has no limit, and Node.js warns about more than ten listeners.
  closing.once('close', () => {
    for (const release of created) release();
  });
  return created;
}

/**
 * Calls `release` exactly once: when the response was sent or its connection closed, or immediately if one of them has already happened.
 *
 * @example onResponseEnd(response, () => body.destroy());
 */
export function onResponseEnd(response: ServerResponse, release: () => void): void {
  const { socket } = response.req;
  if (response.closed || socket.destroyed) {
    release();
    return;
  }
  const ofResponse = releasesOf(response);
  const ofSocket = releasesOf(socket);
  const releaseOnce = () => {
    ofResponse.delete(releaseOnce);
    if (ofSocket.delete(releaseOnce)) release();
  };
  ofResponse.add(releaseOnce);
  ofSocket.add(releaseOnce);
}
