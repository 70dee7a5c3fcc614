/** An upstream service for tests: it verifies the gateway's signed context and sends the response that the test sets. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Caller } from '@carecover/domain';
import { CONTEXT_HEADER } from '@carecover/http';
import { verifyForAny } from '@carecover/testing/services';

/** A request as the upstream service received it. */
interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** The verified caller; null if the signed context is invalid. */
  readonly caller: Caller | null;
}

export interface SmallUpstream {
  readonly url: string;
  readonly received: Received[];
  /** Sends the responses to the next requests. If this function is undefined, the response is 200 with an empty object. */
  respond: ((received: Received, response: ServerResponse) => void) | undefined;
  close(): Promise<void>;
}

async function receive(request: IncomingMessage): Promise<Received> {
  const { [CONTEXT_HEADER]: context, 'x-request-id': requestId } = request.headers;
  return {
    method: request.method ?? '',
    url: request.url ?? '',
    headers: request.headers,
    body: await buffer(request),
    caller: verifyForAny(context, String(requestId))?.caller ?? null,
  };
}

export async function startSmallUpstream(): Promise<SmallUpstream> {
  const upstream: Omit<SmallUpstream, 'url' | 'close'> = { received: [], respond: undefined };
  const server = createServer(async (request, response) => {
    const received = await receive(request).catch((error: unknown) => {
      if (request.complete) throw error;
      return null;
    });
    // The gateway has ended the request before its body was complete.
    if (received === null) return;
    upstream.received.push(received);
    if (upstream.respond) upstream.respond(received, response);
    else response.setHeader('content-type', 'application/json').end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(upstream, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise<void>((resolve) => server.close(() => resolve()).closeAllConnections()),
  });
}
