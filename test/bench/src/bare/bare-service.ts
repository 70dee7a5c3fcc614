/**
 * A minimal service with Koa. For each request, it sends the same SQL as Carecover and responds with the last row. It listens with TLS
 * for direct requests, and without TLS behind the bare gateway.
 */
import Koa from 'koa';
import { runBareProcess } from '../harness/bare-process';
import { openReplay, type ReplaySettings } from '../recording/replay';
import { readText } from './read-text';
import { listenPlain, listenTls, type TlsFiles } from './tls-koa';

export interface BareServiceSettings {
  readonly replay: ReplaySettings;
  readonly tls: TlsFiles;
}

runBareProcess(async ({ replay, tls }: BareServiceSettings) => {
  const { play } = openReplay(replay);
  const app = new Koa();
  let next = 0;
  app.use(async (ctx) => {
    if (ctx.method === 'POST') JSON.parse(await readText(ctx.req));
    ctx.type = 'application/json';
    ctx.body = JSON.stringify(await play(next++));
  });
  const handle = app.callback();
  return { port: await listenTls(tls, handle), plainPort: await listenPlain(handle) };
});
