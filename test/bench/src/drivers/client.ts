/** A driver that sends a request with Carecover's client library, with the fetch that the library uses, or with undici's request. */
import { Carecover, type PractitionerId } from '@carecover/client';
import { Agent, request, fetch as undiciFetch } from 'undici';
import type { OpenLoad } from '../harness/driver';

export interface ClientOptions {
  readonly origin: string;
  readonly ca: string;
  readonly key: string;
  readonly practitionerId: PractitionerId;
  readonly by: 'client' | 'fetch' | 'request';
}

export const open: OpenLoad<ClientOptions> = async ({ origin, ca, key, practitionerId, by }, connections) => {
  const dispatcher = new Agent({ connections, pipelining: 1, connect: { ca } });
  const fetchTrusting = ((url: string, init: object) =>
    undiciFetch(url, { ...init, dispatcher })) as unknown as typeof fetch;
  const client = new Carecover({ baseUrl: `${origin}/v1`, apiKey: key, fetch: fetchTrusting });
  const url = `${origin}/v1/practitioners/${practitionerId}`;
  const headers = { authorization: `Bearer ${key}` };
  const ways = {
    client: () => client.practitioners.retrieve(practitionerId),
    fetch: async () => (await fetchTrusting(url, { headers })).json(),
    request: async () => (await request(url, { headers, dispatcher })).body.json(),
  };
  return {
    size: null,
    async shoot() {
      await ways[by]();
    },
    close: () => dispatcher.close(),
  };
};
