/** A client of a test's stack, over its own certificate and by all its gateways in turn. */
import { readFileSync } from 'node:fs';
import { Carecover, type ClientOptions } from '@carecover/client';
import { Agent, fetch as undiciFetch } from 'undici';

export interface Trusting {
  readonly agent: Agent;
  client(apiKey: string, options?: Partial<ClientOptions>): Carecover;
  close(): Promise<void>;
}

/** @param stack what stack.json says */
export function trusting(stack: {
  readonly base_url: string;
  readonly base_urls: readonly string[];
  readonly ca_certificate: string;
}): Trusting {
  const agent = new Agent({ connect: { ca: readFileSync(stack.ca_certificate, 'utf8') } });
  let sent = 0;
  const fetchTrusting = ((url: string, init: object) => {
    const gateway = stack.base_urls[sent++ % stack.base_urls.length] ?? stack.base_url;
    return undiciFetch(url.replace(stack.base_url, gateway), { ...init, dispatcher: agent });
  }) as unknown;
  return {
    agent,
    client: (apiKey, options) =>
      new Carecover({ baseUrl: stack.base_url, apiKey, fetch: fetchTrusting as typeof fetch, ...options }),
    close: () => agent.destroy(),
  };
}
