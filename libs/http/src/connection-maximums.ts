/**
 * Limits the number of open connections of an HTTP server, in total and per peer, so that one peer can't use all of them.
 *
 * Failure policy: a connection above a limit is closed at once, without a response.
 */
import type { Server } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { Socket } from 'node:net';

export interface ConnectionMaximums {
  /** Maximum number of open connections per process; further ones are closed at once. */
  readonly connections: number;
  /** Maximum number of open connections per peer; further ones are closed at once. */
  readonly connectionsOfPeer: number;
}

/**
 * Number of file descriptors that client connections can't use. They are reserved for connections to services and the database, and for
 * regular files.
 */
const RESERVED_FILES = 1_000;

/**
 * Returns the default limits, which depend on the number of files that the process may open: if connections of clients used all of them,
 * the process could not connect to the services.
 *
 * @example defaultConnectionMaximums().connections // 20_000 if the process may open many files
 */
export function defaultConnectionMaximums(): ConnectionMaximums {
  const report = process.report.getReport() as { userLimits?: { open_files?: { soft: number | string } } };
  const files = Number(report.userLimits?.open_files?.soft);
  const connections = Math.min(
    20_000,
    Number.isFinite(files) ? Math.max(100, files - RESERVED_FILES) : 20_000,
  );
  return { connections, connectionsOfPeer: Math.ceil(connections / 4) };
}

/**
 * Closes the new connections of a server that are above a limit. Call it after all other listeners of the event `connection` were added.
 *
 * @param peerOf returns the address of a connection's peer; null for a trusted proxy, which only the total limits
 * @example limitConnections(server, (socket) => addresses.addressOfConnection(socket), defaultConnectionMaximums());
 */
export function limitConnections(
  server: Server | HttpsServer,
  peerOf: (socket: Socket) => string | null,
  { connections, connectionsOfPeer }: ConnectionMaximums,
): void {
  server.maxConnections = connections;
  const open = new Map<string, number>();
  server.prependListener('connection', (socket: Socket) => {
    const peer = peerOf(socket);
    if (peer === null) return;
    const count = (open.get(peer) ?? 0) + 1;
    open.set(peer, count);
    socket.once('close', () => {
      const left = (open.get(peer) ?? 1) - 1;
      if (left === 0) open.delete(peer);
      else open.set(peer, left);
    });
    if (count > connectionsOfPeer) socket.destroy();
  });
}
