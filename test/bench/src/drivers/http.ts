/** A driver that sends requests over TLS, one at a time per connection. An unexpected response fails the measurement. */
import { randomUUID } from 'node:crypto';
import { Pool } from 'undici';
import type { OpenLoad } from '../harness/driver';

export interface Shot {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: unknown;
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>>;
}

interface HttpOptions {
  readonly origin: string;
  readonly ca: string;
  /** The API key; with null, requests have no key. Bare limits ignore the key. */
  readonly key: string | null;
  readonly shots: readonly Shot[];
  /** Whether the requests can be sent repeatedly, in rotation; otherwise each is sent once. A repeated write gets a new idempotency key, so that it is executed again. */
  readonly again: boolean;
  /** The expected response statuses; by default all below 300. */
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
  const isExpected = (status: number) => (statuses === undefined ? status < 300 : statuses.includes(status));
  return {
    size: again ? null : prepared.length,
    async shoot(number) {
      const shot = prepared[number % prepared.length];
      if (shot === undefined) throw new Error('shots must not be empty');
      const { method, path, body, headers: further } = shot;
      const headers =
        body === null
          ? authorization
          : {
              ...authorization,
              'content-type': 'application/json',
              'idempotency-key': randomUUID(),
              ...further,
            };
      const response = await pool.request({ method, path, body, headers });
      const text = await response.body.text();
      if (!isExpected(response.statusCode))
        throw new Error(`${method} ${path}: ${response.statusCode} ${text}`);
    },
    // Aborts pending requests.
    close: () => pool.destroy(),
  };
};
