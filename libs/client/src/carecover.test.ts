import { operationList } from '@carecover/contract';
import { Carecover } from './carecover.ts';

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
      await method('an_id', 'another_id', {});
    }
  }
  const paths = operationList.map(
    ({ method, path }) => `${method} /v1${path.replace(/\{\w+\}/, 'an_id').replace(/\{\w+\}/, 'another_id')}`,
  );
  expect(requests.sort()).toEqual(paths.sort());
});
