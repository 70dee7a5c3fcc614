/** A minimal gateway with Koa, which forwards requests with undici and does not authenticate clients. */
import Koa from 'koa';
import { Pool } from 'undici';
import { runBareProcess } from '../harness/bare-process';
import { readText } from './read-text';
import { listenTls, type TlsFiles } from './tls-koa';

export interface BareGatewaySettings {
  readonly service: string;
  readonly tls: TlsFiles;
}

runBareProcess(async ({ service, tls }: BareGatewaySettings) => {
  const pool = new Pool(service, { connections: 64 });
  const app = new Koa();
  app.use(async (ctx) => {
    const body = ctx.method === 'POST' ? await readText(ctx.req) : null;
    const response = await pool.request({
      method: ctx.method as 'GET' | 'POST',
      path: ctx.url,
      headers: body === null ? {} : { 'content-type': 'application/json' },
      body,
    });
    ctx.status = response.statusCode;
    ctx.type = 'application/json';
    ctx.body = await response.body.text();
  });
  return { port: await listenTls(tls, app.callback()) };
});
