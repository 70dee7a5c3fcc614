/** Runs `carecover coverages import` with a server that records every batch. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { runCommand } from './testing/run-command';

let server: Server;
let folder: string;
/** The line numbers of the records of each batch that the server received. */
let batches: unknown[][];

beforeEach(async () => {
  batches = [];
  server = createServer(async (request, response) => {
    const { records } = (await json(request)) as { records: { record_version: string }[] };
    batches.push(records.map(({ record_version }) => record_version));
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ recorded: records.length, replayed: 0 }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  folder = await mkdtemp(join(tmpdir(), 'carecover-coverages-'));
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true });
});

const record = (version: string, changes: object = {}) =>
  JSON.stringify({
    coverage_reference: 'policy-1',
    record_version: version,
    tenant_reference: 'group/nairobi',
    member_reference: 'member:1',
    service_code: 'psy.individual.50',
    plan_name: 'Outpatient',
    status: 'active',
    currency: 'KES',
    amount_limit: 400_000,
    remaining_sessions: 12,
    authorization_required: false,
    coordination_priority: null,
    valid_from: '2026-01-01T00:00:00Z',
    valid_until: '2028-01-01T00:00:00Z',
    ...changes,
  });

async function importFile(
  text: string | Buffer,
  options: Readonly<Record<string, string>> = {},
  key = 'sk_test_1',
) {
  const file = join(folder, 'coverages.jsonl');
  await writeFile(file, text);
  const { port } = server.address() as AddressInfo;
  const given = {
    '--contract': 'contract/1',
    '--generated-at': '2026-01-02T00:00:00Z',
    '--base-url': `http://127.0.0.1:${port}`,
    ...options,
  };
  return runCommand(['coverages', 'import', file, ...Object.entries(given).flat()], {
    CARECOVER_HOME: folder,
    CARECOVER_SECRET_KEY: key,
  });
}

test('an import of which rows are rejected prints them and the counts, and fails', async () => {
  const { code, output, errors } = await importFile(`${record('1')}\n${record('2', { currency: 'x' })}\n`);
  expect(output).toMatch(/^line 2: \/currency .*\nrows +2\nrecorded +1\nknown +0\nrejected +1\n$/);
  expect([code, errors]).toEqual([
    1,
    'carecover: 1 row was rejected and not recorded. Correct the file and import it again: no row is recorded twice.\n',
  ]);
  expect(batches).toEqual([['1']]);
});

test.each(['\n', '\r\n', ' ', '\0', '\u00e9'])(
  'a key with %j ends the import at once, without the key and with the name of its setting',
  async (character) => {
    for (const key of [`sk_test_Head${character}TailOfTheKey`, `sk_test_HeadTailOfTheKey${character}`]) {
      const { code, output, errors, progress } = await importFile(record('1'), {}, key);
      expect([code, errors]).toEqual([1, expect.stringMatching(/; it has a .*CARECOVER_SECRET_KEY/)]);
      expect(output + errors + progress).not.toMatch(/Head|TailOfTheKey/);
    }
    expect(batches).toEqual([]);
  },
);

test('a URL of the API with a query ends the import at once, without the URL', async () => {
  const { code, errors } = await importFile(record('1'), {
    '--base-url': 'https://api.example/v1?key=hunter2',
  });
  expect([code, errors]).toEqual([1, expect.stringMatching(/it has a query or a fragment.*--base-url/)]);
  expect(errors).not.toContain('hunter2');
});

test('an invalid option is rejected once and not for each row', async () => {
  const text = `${record('1')}\n${record('2')}\n`;
  const { code, output, errors } = await importFile(text, {
    '--contract': 'contract 1',
    '--generated-at': 'yesterday',
  });
  expect([code, output]).toEqual([1, '']);
  expect(errors).toMatch(/^carecover: --contract .*; --generated-at .*\n$/);
  expect(batches).toEqual([]);
});

test('a byte order mark at the start of JSON lines is ignored', async () => {
  expect(await importFile(`\uFEFF${record('1')}\n${record('2')}\n`)).toMatchObject({ code: 0 });
  expect(batches).toEqual([['1', '2']]);
});

test('a file that is not UTF-8 is rejected as a whole', async () => {
  const text = `${record('1')}\n${record('2', { plan_name: 'Santé' })}\n`;
  const { code, errors } = await importFile(Buffer.from(text, 'latin1'));
  expect([code, errors]).toEqual([
    1,
    expect.stringMatching(/^carecover: .*coverages\.jsonl is not UTF-8 text\.\n$/),
  ]);
  expect(batches).toEqual([]);
});
