/** A server that costs next to nothing: the same JSON to every request. */
import { bareMain } from '../harness/bare-process';
import { listenTls, type TlsFiles } from './tls-koa';

export interface ConstantAnswerSettings {
  readonly tls: TlsFiles;
  readonly body: unknown;
}

bareMain(async ({ tls, body }: ConstantAnswerSettings) => {
  const text = JSON.stringify(body);
  const port = await listenTls(tls, (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(text);
  });
  return { port };
});
