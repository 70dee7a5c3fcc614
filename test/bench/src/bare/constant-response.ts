/** A server that responds with the same JSON to every request, with as little processor time as possible. */
import { runBareProcess } from '../harness/bare-process';
import { listenTls, type TlsFiles } from './tls-koa';

export interface ConstantResponseSettings {
  readonly tls: TlsFiles;
  readonly body: unknown;
}

runBareProcess(async ({ tls, body }: ConstantResponseSettings) => {
  const text = JSON.stringify(body);
  const port = await listenTls(tls, (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(text);
  });
  return { port };
});
