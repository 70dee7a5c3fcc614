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
