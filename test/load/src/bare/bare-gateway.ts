/** The least that a gateway can be: Koa that forwards by undici, and asks nobody who calls. */
import Koa from 'koa';
import { Pool } from 'undici';
import { bareMain } from '../harness/bare-process';
import { readText } from './read-text';
import { listenTls, type TlsFiles } from './tls-koa';

export interface BareGatewaySettings {
  readonly service: string;
  readonly tls: TlsFiles;
}

bareMain(async ({ service, tls }: BareGatewaySettings) => {
  const pool = new Pool(service, { connections: 64 });
  const app = new Koa();
  app.use(async (ctx) => {
    const body = ctx.method === 'POST' ? await readText(ctx.req) : null;
    const answer = await pool.request({
      method: ctx.method as 'GET' | 'POST',
      path: ctx.url,
      headers: body === null ? {} : { 'content-type': 'application/json' },
      body,
    });
    ctx.status = answer.statusCode;
    ctx.type = 'application/json';
    ctx.body = await answer.body.text();
  });
  return { port: await listenTls(tls, app.callback()) };
});
