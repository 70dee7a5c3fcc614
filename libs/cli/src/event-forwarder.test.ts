import { Carecover } from '@carecover/client';
import { startSmallUpstream } from '@carecover/gateway/testing';
import { Webhook } from 'standardwebhooks';
import { EventForwarder } from './event-forwarder';

interface Listed {
  readonly id: string;
  readonly created_at: string;
}

const at = (second: number) =>
  new Date(Date.parse('2027-01-01T00:00:00.000Z') + second * 1_000).toISOString();
const event = (id: string, second: number): Listed => ({ id, created_at: at(second) });
const SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;

/** Starts an API whose event list contains the test's events, two per page. */
async function startApi() {
  const upstream = await startSmallUpstream();
  const events: Listed[] = [];
  upstream.respond = ({ url }, response) => {
    const query = new URL(url, 'http://x').searchParams;
    const listed = events
      .filter(({ created_at }) => created_at > (query.get('created_after') ?? ''))
      .filter(({ id }) => id < (query.get('starting_after') ?? '~'))
      .sort((a, b) => (a.id < b.id ? 1 : -1));
    const data = listed.slice(0, 2);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ object: 'list', data, has_more: listed.length > 2 }));
  };
  return { upstream, events };
}

test('each new event is forwarded once, in order of creation, including an event that is listed late; signatures are valid', async () => {
  const { upstream, events } = await startApi();
  const webhook = new Webhook(SECRET);
  const delivered: string[] = [];
  const forwarder = new EventForwarder(
    {
      client: new Carecover({ apiKey: 'sk_test_x', baseUrl: `${upstream.url}/v1` }),
      sign: (id, when, body) => webhook.sign(id, when, body),
      deliver: async (body, headers) => {
        delivered.push((webhook.verify(body, { ...headers }) as Listed).id);
        return '204';
      },
      log: () => undefined,
      stopped: new AbortController().signal,
    },
    Date.parse(at(0)),
  );
  events.push(event('evt_0', 0), event('evt_1', 1), event('evt_3', 3), event('evt_4', 4));
  expect(await forwarder.poll()).toBe(3);
  expect(delivered).toEqual(['evt_1', 'evt_3', 'evt_4']);
  events.push(event('evt_2', 2), event('evt_5', 5));
  await forwarder.poll();
  await forwarder.poll();
  expect(delivered).toEqual(['evt_1', 'evt_3', 'evt_4', 'evt_2', 'evt_5']);
  await upstream.close();
});
