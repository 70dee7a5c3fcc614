/** Creates API clients for the stack of a test. The clients trust the stack's certificate and use its gateways in rotation. */
import { readFileSync } from 'node:fs';
import { Carecover, type ClientOptions } from '@carecover/client';
import { Agent, fetch as undiciFetch } from 'undici';

export interface StackClients {
  /** The undici agent that trusts the stack's certificate. */
  readonly agent: Agent;
  create(apiKey: string, options?: Partial<ClientOptions>): Carecover;
  close(): Promise<void>;
}

/**
 * Creates a factory of API clients for a stack.
 *
 * @param stack the content of stack.json
 */
export function createStackClients(stack: {
  readonly base_url: string;
  readonly base_urls: readonly string[];
  readonly ca_certificate: string;
}): StackClients {
  const agent = new Agent({ connect: { ca: readFileSync(stack.ca_certificate, 'utf8') } });
  let sent = 0;
  const fetchFromNextGateway = ((url: string, init: object) => {
    const gateway = stack.base_urls[sent++ % stack.base_urls.length] ?? stack.base_url;
    return undiciFetch(url.replace(stack.base_url, gateway), { ...init, dispatcher: agent });
  }) as unknown;
  return {
    agent,
    create: (apiKey, options) =>
      new Carecover({
        baseUrl: stack.base_url,
        apiKey,
        fetch: fetchFromNextGateway as typeof fetch,
        ...options,
      }),
    close: () => agent.destroy(),
  };
}
