/** What the bare servers share: Koa behind TLS, and nothing else. */
import { readFileSync } from 'node:fs';
import { createServer as createPlain, type RequestListener, type Server } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';

export interface TlsFiles {
  readonly certificate: string;
  readonly key: string;
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** Gives the port. */
export function listenTls({ certificate, key }: TlsFiles, handle: RequestListener): Promise<number> {
  return listening(createServer({ cert: readFileSync(certificate), key: readFileSync(key) }, handle));
}

/** As a service behind a gateway listens. Gives the port. */
export function listenPlain(handle: RequestListener): Promise<number> {
  return listening(createPlain({ keepAliveTimeout: 65_000 }, handle));
}
