/**
 * Deliveries without anything durable: an event is made, signed with Node's own HMAC and posted by undici over connections that
 * are kept, and that is all. No retry, no check of the address, and what the receiver answers is thrown away.
 */
import { createHmac } from 'node:crypto';
import { newId } from '@carecover/platform';
import { Agent, request } from 'undici';
import type { OpenLoad } from '../harness/driver';
import { eventAbout } from '../harness/event';

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
      const payload = eventAbout(id, newId('clm_'));
      const timestamp = String(Math.floor(Date.now() / 1_000));
      const answer = await request(urls[number % urls.length] ?? '', {
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
      await answer.body.dump();
      if (answer.statusCode >= 300) throw new Error(`the receiver answered ${answer.statusCode}`);
    },
    close: () => dispatcher.close(),
  };
};
