import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { promisify } from 'node:util';
import { Carecover } from '@carecover/client';
import { CLIENT, go, hasGo } from './tools';

const run = promisify(execFile);

// The first run compiles the standard library.
jest.setTimeout(300_000);

test('the Go client is formatted, passes go vet and its tests, and needs only the standard library', async () => {
  if (!(await hasGo())) return;
  const programs = ['../../docs/guides/quick-start.go', '../../docs/guides/receivers/go.go'];
  const { stdout: unformatted } = await run('gofmt', ['-l', '.', ...programs], { cwd: CLIENT });
  expect(unformatted).toBe('');
  await go(['vet', './...']);
  for (const program of programs) await go(['vet', program]);
  expect(await go(['test', '-count=1', './...'])).toMatch(/^ok\s+carecover\.example\/carecover\s/m);
  expect(await go(['list', '-m', 'all'])).toBe('carecover.example/carecover\n');
});

test('the module contains only code, its README and an example', async () => {
  const files = (await readdir(CLIENT, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name);
  const expected = /^([\w.]+\.go|go\.mod|README\.md)$/;
  expect(files.filter((file) => !expected.test(file))).toEqual([]);
  expect(files).toEqual(expect.arrayContaining(['go.mod', 'README.md', 'types.gen.go', 'operations.gen.go']));
});

/** Names that Go writes in capitals, as in the client for TypeScript. */
const lowerFirst = (name: string) =>
  name === 'API' ? 'api' : `${name.charAt(0).toLowerCase()}${name.slice(1)}`;

test('the Go client has the groups and methods of the client for TypeScript, and iterators over the lists', async () => {
  if (!(await hasGo())) return;
  const text = await go(['doc', '-all', '.']);
  const methods = [...text.matchAll(/^func \(service \*(\w+)Service\) (\w+)\(/gm)].map(
    ([, group = '', method = '']) => `${lowerFirst(group)}.${lowerFirst(method)}`,
  );
  const client = new Carecover({ apiKey: 'sk_test_key', baseUrl: 'http://localhost/v1' });
  const { transport: _transport, ...groups } = client;
  const expected = Object.entries(groups).flatMap(([group, operations]) =>
    Object.keys(operations).map((method) => `${group}.${method}`),
  );
  const iterators = methods.filter((each) => /\.all([A-Z]\w+)?$/.test(each));
  expect(methods.filter((each) => !iterators.includes(each)).sort()).toEqual(expected.sort());
  expect(iterators).toEqual(expect.arrayContaining(['claims.all', 'valuationRuns.allClaims']));
});
