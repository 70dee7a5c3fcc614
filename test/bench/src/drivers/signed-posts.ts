/**
 * A driver that sends deliveries without storage: creates an event, signs it with Node's HMAC and sends it with undici over keep-alive
 * connections. It does not retry, does not check the receiver's address, and discards the response.
 */
import { createHmac } from 'node:crypto';
import { newId } from '@carecover/domain';
import { Agent, request } from 'undici';
import type { OpenLoad } from '../harness/driver';
import { createTimedEvent } from '../harness/event';

export interface SignedPostsOptions {
  readonly urls: readonly string[];
  readonly secret: string;
}

export const open: OpenLoad<SignedPostsOptions> = async ({ urls, secret }, connections) => {
  const dispatcher = new Agent({ connections, pipelining: 1 });
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const sign = (text: string) => `v1,${createHmac('sha256', key).update(text).digest('base64')}`;
  return {
    size: null,
    async shoot(number) {
      const id = newId('evt_');
      const payload = createTimedEvent(id, newId('clm_'));
      const timestamp = String(Math.floor(Date.now() / 1_000));
      const response = await request(urls[number % urls.length] ?? '', {
        method: 'POST',
        dispatcher,
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'user-agent': 'Carecover-Webhooks/1',
          'webhook-id': id,
          'webhook-timestamp': timestamp,
          'webhook-signature': sign(`${id}.${timestamp}.${payload}`),
        },
        body: payload,
      });
      await response.body.dump();
      if (response.statusCode >= 300) throw new Error(`the receiver responded ${response.statusCode}`);
    },
    close: () => dispatcher.close(),
  };
};
