/**
 * The least that a service can be: Koa that sends the same SQL as ours for each request and answers with the last row it got. It
 * serves over TLS, to be asked directly, and plainly, behind the bare gateway.
 */
import Koa from 'koa';
import { bareMain } from '../harness/bare-process';
import { openReplay, type ReplaySettings } from '../recording/replay';
import { readText } from './read-text';
import { listenPlain, listenTls, type TlsFiles } from './tls-koa';

export interface BareServiceSettings {
  readonly replay: ReplaySettings;
  readonly tls: TlsFiles;
}

bareMain(async ({ replay, tls }: BareServiceSettings) => {
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
