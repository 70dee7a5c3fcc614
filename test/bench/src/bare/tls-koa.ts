/** Starts the HTTP servers of the bare processes, with and without TLS. */
import { readFileSync } from 'node:fs';
import { createServer as createPlain, type RequestListener, type Server } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';

export interface TlsFiles {
  readonly certificate: string;
  readonly key: string;
}

async function listenOnFreePort(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** Starts a server with TLS on a free port and returns the port. */
export function listenTls({ certificate, key }: TlsFiles, handle: RequestListener): Promise<number> {
  return listenOnFreePort(createServer({ cert: readFileSync(certificate), key: readFileSync(key) }, handle));
}

/** Starts a server without TLS on a free port, such as a service behind a gateway, and returns the port. */
export function listenPlain(handle: RequestListener): Promise<number> {
  return listenOnFreePort(createPlain({ keepAliveTimeout: 65_000 }, handle));
}
