/** A client of a test's stack, over its own certificate. */
import { readFileSync } from 'node:fs';
import { Carecover, type ClientOptions } from '@carecover/client';
import { Agent, fetch as undiciFetch } from 'undici';

export interface Trusting {
  readonly agent: Agent;
  client(apiKey: string, options?: Partial<ClientOptions>): Carecover;
  close(): Promise<void>;
}

/** @param stack what stack.json says */
export function trusting(stack: { readonly base_url: string; readonly ca_certificate: string }): Trusting {
  const agent = new Agent({ connect: { ca: readFileSync(stack.ca_certificate, 'utf8') } });
  const fetchTrusting = ((url: string, init: object) =>
    undiciFetch(url, { ...init, dispatcher: agent })) as unknown;
  return {
    agent,
    client: (apiKey, options) =>
      new Carecover({ baseUrl: stack.base_url, apiKey, fetch: fetchTrusting as typeof fetch, ...options }),
    close: () => agent.destroy(),
  };
}
