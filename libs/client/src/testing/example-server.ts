/**
 * A server that validates requests by the API's contract and responds with the contract's examples. Tests run the documented
 * programs with it, such as those of the client's README. It is not part of the published package.
 */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  BASE_PATH,
  expandPath,
  type Operation,
  operationList,
  problemMessage,
  validateBody,
  validateHeaders,
  validateParams,
  validateQuery,
} from '@carecover/contract';

export interface ExampleServer {
  /** The URL of the server with the API version, for the client's option `baseUrl`. */
  readonly baseUrl: string;
  /** The IDs of the called operations, in order; for a call that was rejected, the text `<id>: <problem>`. */
  readonly calls: readonly string[];
  close(): Promise<void>;
}

interface MatchedOperation {
  readonly operation: Operation;
  readonly params: Record<string, string>;
}

function matchOperation(method: string | undefined, path: string): MatchedOperation | null {
  for (const operation of operationList) {
    const pattern = expandPath(operation.path, (name) => `(?<${name}>[^/]+)`);
    const match = new RegExp(`^${BASE_PATH}${pattern}$`).exec(path);
    if (match !== null && operation.method === method) return { operation, params: { ...match.groups } };
  }
  return null;
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
}

function exampleOf({ success }: Operation): string {
  return JSON.stringify(Reflect.get(success[0].schema, 'examples')[0]);
}

export async function startExampleServer(): Promise<ExampleServer> {
  const calls: string[] = [];
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const matched = matchOperation(request.method, url.pathname);
    const text = await readText(request);
    if (matched === null) {
      calls.push(`no operation: ${request.method} ${url.pathname}`);
      response.writeHead(404).end();
      return;
    }
    const { operation, params } = matched;
    // The lines of a file are not validated.
    const body = text === '' || operation.upload !== undefined ? undefined : JSON.parse(text);
    const checks = [
      validateParams(operation.id, params),
      validateQuery(operation.id, Object.fromEntries(url.searchParams)),
      validateHeaders(operation.id, request.headersDistinct),
      validateBody(operation.id, body),
    ];
    const problem = checks.flatMap((check) => (check.ok ? [] : [problemMessage(check.problems)]))[0];
    calls.push(problem === undefined ? operation.id : `${operation.id}: ${problem}`);
    response
      .writeHead(problem === undefined ? operation.success[0].status : 400, {
        'content-type': 'application/json',
      })
      .end(problem === undefined ? exampleOf(operation) : '{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}${BASE_PATH}`,
    calls,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
