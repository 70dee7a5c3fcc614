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

const HEADING = Object.keys(JSON.parse(record('1'))).join();

/** Returns the cells of a row of a CSV file, in the order of the heading. */
const row = (version: string, changes: object = {}): string[] =>
  Object.values(JSON.parse(record(version, changes))).map((value) => String(value ?? ''));

const importCsv = (...rows: string[]) =>
  importFile(`${[HEADING, ...rows].join('\n')}\n`, {}, { name: 'coverages.csv' });

async function importFile(
  text: string | Buffer,
  options: Readonly<Record<string, string>> = {},
  { name = 'coverages.jsonl', key = 'sk_test_1' }: { readonly name?: string; readonly key?: string } = {},
) {
  const file = join(folder, name);
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
      const { code, output, errors, progress } = await importFile(record('1'), {}, { key });
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

const counts = (rows: number, recorded: number) =>
  `rows      ${rows}\nrecorded  ${recorded}\nknown     0\nrejected  ${rows - recorded}\n`;

describe('a row that can\u2019t be read is rejected with its line, and the others are recorded:', () => {
  const good = row('1').join();
  const last = row('9').join();

  test.each([
    ['a row without its last cell', row('2').slice(0, -1).join(), /it has 13 cells.*14/],
    ['a row with a surplus cell', `${row('2').join()},`, /it has 15 cells.*14/],
    ['a quote inside a cell', row('2', { plan_name: '24" plan' }).join(), /quote/],
    ['text after a closing quote', row('2', { plan_name: '"Gold" plan' }).join(), /quote/],
    ['a row that is too long', row('2', { plan_name: 'x'.repeat(100_000) }).join(), /100,000 bytes/],
    ['a row of many commas', `${','.repeat(200_000)}x`, /100,000 bytes/],
  ])('%s', async (_name, bad, reason) => {
    const { code, output, errors } = await importCsv(good, bad, last);
    const [line, ...rest] = output.split('\n');
    expect(line).toMatch(/^line 3: /);
    expect(line).toMatch(reason);
    expect(rest.join('\n')).toBe(counts(3, 2));
    expect([code, errors]).toEqual([1, expect.stringMatching(/^carecover: 1 row was rejected/)]);
    expect(batches).toEqual([['1', '9']]);
  });

  test('a row that is not UTF-8, in CSV and in JSON lines', async () => {
    const changes = { plan_name: 'Sant\u00e9' };
    for (const [name, lines] of [
      ['coverages.csv', [HEADING, good, row('2', changes).join(), last]],
      ['coverages.jsonl', ['', record('1'), record('2', changes), record('9')]],
    ] as const) {
      batches = [];
      const { code, output } = await importFile(Buffer.from(lines.join('\n'), 'latin1'), {}, { name });
      expect([code, output]).toEqual([1, `line 3: it is not text in UTF-8\n${counts(3, 2)}`]);
      expect(batches).toEqual([['1', '9']]);
    }
  });

  test('a row after the first batches, whose rows were already sent', async () => {
    const rows = Array.from({ length: 1_200 }, (_, index) => {
      const cells = row(String(index), { coverage_reference: `policy-${index}` });
      return (index === 1_100 ? cells.slice(0, -1) : cells).join();
    });
    const { code, output } = await importCsv(...rows);
    expect(output).toMatch(
      /^line 1102: it has 13 cells.*\nrows +1200\nrecorded +1199\nknown +0\nrejected +1\n$/,
    );
    expect(code).toBe(1);
    expect(batches.flat()).toHaveLength(1_199);
  });

  test('JSON that is no object, cut off, or nested too deep', async () => {
    const nested = `{"a":${'['.repeat(40_000)}${']'.repeat(40_000)}}`;
    const { output } = await importFile(['[1]', '{"coverage', nested, record('1')].join('\n'));
    expect(output).toMatch(
      /^line 1: it .*\nline 2: it is no JSON\nline 3: .*\nrows +4\nrecorded +1\nknown +0\nrejected +3\n$/,
    );
    expect(batches).toEqual([['1']]);
  });
});

describe('a file that can\u2019t be read is rejected with one message, and nothing is sent:', () => {
  const rows = Array.from({ length: 1_200 }, (_, index) => row(String(index)).join());

  test.each([
    [
      'cells separated by semicolons',
      [HEADING.replaceAll(',', ';'), ...rows.map((cells) => cells.replaceAll(',', ';'))],
      /coverages\.csv: line 1: .*";".*","/,
    ],
    ['cells separated by tabs', [HEADING.replaceAll(',', '\t'), 'x'], /line 1: .*tab.*","/],
    [
      'a heading without a column',
      [HEADING.replace('currency,', ''), ...rows],
      /line 1: The heading lacks the column currency\.$/m,
    ],
    ['a heading with a column twice', [`${HEADING},currency`, ...rows], /line 1: .*currency twice/],
    ['a heading with an unknown column', [`${HEADING},colour`, ...rows], /line 1: .*colour/],
    ['no content', ['', '  '], /coverages\.csv: .*empty/],
    ['a quote that is not closed', [HEADING, ...rows, `"${rows[0]}`], /line 1202: .*quote/],
    ['another format', ['PK\u0003\u0004\u0000', ...rows], /line 1: The heading lacks/],
  ])('%s', async (_name, lines, message) => {
    const { code, output, errors } = await importFile(`${lines.join('\n')}\n`, {}, { name: 'coverages.csv' });
    expect([code, output]).toEqual([1, '']);
    expect(errors).toMatch(message);
    expect(errors.split('\n')).toHaveLength(2);
    expect(batches).toEqual([]);
  });

  test('CSV in a file of another name', async () => {
    const { code, output, errors } = await importFile(
      [HEADING, ...rows].join('\n'),
      {},
      { name: 'coverages.txt' },
    );
    expect([code, output]).toEqual([1, '']);
    expect(errors).toMatch(/^carecover: .*coverages\.txt: No line is a JSON object.*\.csv/);
    expect(batches).toEqual([]);
  });
});

test('a file of a spreadsheet is understood: TRUE and FALSE, rows and columns without content, UTF-16', async () => {
  const cells = (version: string, required: string) =>
    row(version).map((cell) => (cell === 'false' ? required : cell));
  const lines = [
    `${HEADING},,`,
    `${cells('1', 'TRUE').join()},,`,
    `${cells('2', 'FALSE').join()},,`,
    ','.repeat(15),
    `"","",${','.repeat(13)}`,
  ].join('\r\n');
  for (const bytes of [Buffer.from(`\ufeff${lines}`), Buffer.from(`\ufeff${lines}`, 'utf16le')]) {
    batches = [];
    const { code, output } = await importFile(bytes, {}, { name: 'Coverages.CSV' });
    expect([code, output]).toEqual([0, counts(2, 2)]);
    expect(batches).toEqual([['1', '2']]);
  }
});

test('JSON lines end at a line feed only: a text can have the other line separators of Unicode', async () => {
  const lines = ['\u2028', '\u2029', '\u0085'].map((separator, index) =>
    record(String(index), { plan_name: `Plan${separator}A` }),
  );
  const { output } = await importFile(`${[...lines, '{"cut', record('9')].join('\n')}\r\n`);
  expect(output).toBe(`line 4: it is no JSON\n${counts(5, 4)}`);
  expect(batches).toEqual([['0', '1', '2', '9']]);
});
