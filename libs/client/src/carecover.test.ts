import { operationList } from '@carecover/contract';
import { Carecover } from './carecover.ts';

const FILE = { content: '{}\n', mediaType: 'application/x-ndjson' };

test('every operation has one method, which inserts the parameters of its path', async () => {
  const requests: string[] = [];
  const client = new Carecover({
    apiKey: 'sk_test_key',
    baseUrl: 'http://localhost/v1',
    fetch: async (url, init) => {
      requests.push(`${init?.method} ${new URL(String(url)).pathname}`);
      return new Response('{}');
    },
  });
  for (const group of Object.values(client)) {
    if (group === client.transport) continue;
    for (const method of Object.values<(...args: unknown[]) => PromiseLike<unknown>>(group)) {
      // It calls the operation of another method, until the clock is ready.
      if (method === client.testClock.advanceAndWait) continue;
      const args =
        method === client.bulkJobs.create ? [{ kind: 'claims' }, FILE] : ['an_id', 'another_id', {}];
      await method(...args);
    }
  }
  const paths = operationList.map(
    ({ method, path }) => `${method} /v1${path.replace(/\{\w+\}/, 'an_id').replace(/\{\w+\}/, 'another_id')}`,
  );
  expect(requests.sort()).toEqual(paths.sort());
});

test('an unknown event type, error code and status are read as any other', async () => {
  const answers = [
    new Response(
      JSON.stringify({
        object: 'list',
        data: [
          { id: 'evt_2', object: 'event', type: 'claim.made_up', data: { id: 'clm_1', made_up: true } },
          { id: 'evt_1', object: 'event', type: 'claim.settled', data: { id: 'clm_1', status: 'made_up' } },
        ],
        has_more: false,
      }),
    ),
    new Response(JSON.stringify({ id: 'clm_1', status: 'made_up' })),
    new Response(
      JSON.stringify({ error: { code: 'made_up', message: 'Made up.', docs: 'https://localhost' } }),
      {
        status: 422,
      },
    ),
  ];
  const fetch = async () => answers.shift() ?? Response.error();
  const client = new Carecover({ apiKey: 'sk_test_key', baseUrl: 'http://localhost/v1', fetch });
  const types: string[] = [];
  for await (const { type } of client.events.list()) types.push(type);
  expect(types).toEqual(['claim.made_up', 'claim.settled']);
  expect((await client.claims.retrieve('clm_1')).status).toBe('made_up');
  await expect(client.claims.retrieve('clm_1')).rejects.toMatchObject({ status: 422, code: 'made_up' });
});

test('a listed slot is booked as it is, without the fields that a booking does not have', async () => {
  const bodies: unknown[] = [];
  const fetch = async (_url: unknown, init?: RequestInit) => {
    bodies.push(JSON.parse(String(init?.body)));
    return new Response('{}');
  };
  const client = new Carecover({ apiKey: 'sk_test_key', baseUrl: 'http://localhost/v1', fetch });
  const fields = {
    practitioner_id: 'prc_1',
    starts_at: '2099-03-02T07:00:00.000Z',
    ends_at: '2099-03-02T07:50:00.000Z',
    format: 'online',
  } as const;
  const slot = { object: 'slot', timezone: 'Africa/Nairobi', ...fields } as const;
  await client.bookings.create({ ...slot, payment_source: 'covered' });
  await client.bookings.create({ ...fields, payment_source: 'self_pay' });
  expect(bodies).toEqual([
    { ...fields, payment_source: 'covered' },
    { ...fields, payment_source: 'self_pay' },
  ]);
});

test.each([
  ['claims.create', 'use carecover.claims.submit'],
  ['claims.get', 'use carecover.claims.retrieve'],
  ['claims.approve', 'use carecover.claims.adjudicate'],
  ['coverages.create', 'use carecover.coverages.record'],
  ['consents.create', 'use carecover.consents.record'],
  ['preauthorizations.approve', 'use carecover.preauthorizations.decide'],
  ['webhookEndpoints.delete', 'use carecover.webhookEndpoints.disable'],
  ['settlements.record', 'use carecover.settlements.create'],
  ['webhooks', 'use carecover.webhookEndpoints, or the function verifyWebhook of the package'],
  ['constructEvent', 'use the function verifyWebhook of the package'],
])('%s is an error that says: %s', (path, message) => {
  const client = new Carecover({ apiKey: 'sk_test_key', baseUrl: 'http://localhost/v1' });
  const read = () => path.split('.').reduce((each: object, name) => Reflect.get(each, name), client);
  expect(read).toThrow(TypeError);
  expect(read).toThrow(message);
  expect(JSON.stringify(client)).not.toContain('constructEvent');
});
