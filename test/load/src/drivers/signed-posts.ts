/** Deliveries without anything durable: an event is made, signed and posted, and that is all. */
import { newId } from '@carecover/platform';
import { Webhook } from 'standardwebhooks';
import { Agent, request } from 'undici';
import type { OpenLoad } from '../harness/driver';
import { eventAbout } from '../harness/event';

export interface SignedPostsOptions {
  readonly urls: readonly string[];
  readonly secret: string;
}

export const open: OpenLoad<SignedPostsOptions> = async ({ urls, secret }, connections) => {
  const dispatcher = new Agent({ connections, pipelining: 1 });
  return {
    size: null,
    async shoot(number) {
      const id = newId('evt_');
      const payload = eventAbout(id, 'clm_bench');
      const at = new Date();
      const answer = await request(urls[number % urls.length] ?? '', {
        method: 'POST',
        dispatcher,
        headers: {
          'content-type': 'application/json',
          'webhook-id': id,
          'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
          'webhook-signature': new Webhook(secret).sign(id, at, payload),
        },
        body: payload,
      });
      await answer.body.dump();
      if (answer.statusCode >= 300) throw new Error(`the receiver answered ${answer.statusCode}`);
    },
    close: () => dispatcher.close(),
  };
};
