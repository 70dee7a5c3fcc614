/** Requests over TLS, one at a time on each connection. Whatever is not answered as it should be fails the measurement. */
import { randomUUID } from 'node:crypto';
import { Pool } from 'undici';
import type { OpenLoad } from '../harness/driver';

export interface Shot {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: unknown;
}

export interface HttpOptions {
  readonly origin: string;
  readonly ca: string;
  /** The bare limits don't look at it; null sends none. */
  readonly key: string | null;
  readonly shots: readonly Shot[];
  /** Whether the shots may be fired again and again; otherwise each is fired once, under an idempotency key of its own. */
  readonly again: boolean;
  /** How the shots should be answered: by any success unless given. */
  readonly statuses?: readonly number[];
}

export const open: OpenLoad<HttpOptions> = async (options, connections) => {
  const { origin, ca, key, shots, again, statuses } = options;
  const pool = new Pool(origin, { connections, pipelining: 1, connect: { ca } });
  const prepared = shots.map(({ body, ...shot }) => ({
    ...shot,
    body: body === undefined ? null : JSON.stringify(body),
  }));
  const authorization = key === null ? {} : { authorization: `Bearer ${key}` };
  const isRight = (status: number) => (statuses === undefined ? status < 300 : statuses.includes(status));
  return {
    size: again ? null : prepared.length,
    async shoot(number) {
      const shot = prepared[number % prepared.length];
      if (shot === undefined) throw new Error('there is nothing to ask');
      const { method, path, body } = shot;
      const headers =
        body === null
          ? authorization
          : { ...authorization, 'content-type': 'application/json', 'idempotency-key': randomUUID() };
      const answer = await pool.request({ method, path, body, headers });
      const text = await answer.body.text();
      if (!isRight(answer.statusCode)) throw new Error(`${method} ${path}: ${answer.statusCode} ${text}`);
    },
    // Those under way, if any, are given up.
    close: () => pool.destroy(),
  };
};
