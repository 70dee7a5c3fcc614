/**
 * A service without Temporal, such as a user would build instead. For a command it sends the recorded SQL of its own steps, and calls other
 * such services over HTTP for their steps, in the recorded order.
 */
import Koa from 'koa';
import { Pool } from 'undici';
import { runBareProcess } from '../harness/bare-process';
import { type Instance, Replay, type ReplaySettings } from '../recording/replay';
import { readText } from './read-text';
import { listenPlain } from './tls-koa';

interface PlainServiceSettings {
  readonly service: string;
  readonly replay: Pick<ReplaySettings, 'url' | 'recording'>;
  /** The URLs (scheme, host and port) of the other plain services, by name. */
  readonly others: Readonly<Record<string, string>>;
}

/** The body of `POST /commands/{command}`, and of `POST /steps/{index}` to another plain service. */
export interface PlainRequest {
  readonly instance: Instance;
  readonly seed: string;
  /**
   * The body that this command has in Carecover's API. The plain service ignores it. With it, a request to the plain service is as large
   * as the request to Carecover.
   */
  readonly body: unknown;
}

runBareProcess(async ({ service, replay, others }: PlainServiceSettings) => {
  const own = new Replay(replay);
  const pools = new Map(
    Object.entries(others).map(([name, origin]) => [name, new Pool(origin, { connections: 64 })]),
  );

  async function call(other: string, index: number, text: string): Promise<unknown> {
    const answer = await pools.get(other)?.request({
      method: 'POST',
      path: `/steps/${index}`,
      headers: { 'content-type': 'application/json' },
      body: text,
    });
    const body = await answer?.body.text();
    if (answer?.statusCode !== 200) throw new Error(`${other}: ${answer?.statusCode} ${body}`);
    return JSON.parse(body ?? '');
  }

  async function execute(command: string, { instance, seed }: PlainRequest, text: string): Promise<unknown> {
    let last: unknown = null;
    for (const [index, step] of replay.recording.steps.entries()) {
      if (step.command !== command) continue;
      last =
        step.service === service
          ? await own.playStep(index, instance, seed)
          : await call(step.service, index, text);
    }
    return last;
  }

  const app = new Koa();
  app.use(async (ctx) => {
    const text = await readText(ctx.req);
    const request = JSON.parse(text) as PlainRequest;
    const [, kind, name = ''] = ctx.path.split('/');
    const result =
      kind === 'steps'
        ? await own.playStep(Number(name), request.instance, request.seed)
        : await execute(name, request, text);
    ctx.type = 'application/json';
    ctx.body = JSON.stringify(result);
  });
  return { origin: `http://127.0.0.1:${await listenPlain(app.callback())}` };
});
