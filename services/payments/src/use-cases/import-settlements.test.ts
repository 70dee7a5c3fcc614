import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { newId } from '@carecover/domain';
import { FileError } from '@carecover/import-files';
import { connectPostgres, type Sql, searchRange, type Tx } from '@carecover/postgres';
import {
  createTestDatabase,
  startTimeSkippingTemporal,
  type TestDatabase,
  testSize,
} from '@carecover/testing/servers';
import { newTenant } from '@carecover/testing/services';
import { Client } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { listOpenEntries } from '../store/bank-entries';
import { findCandidates } from '../store/candidates';
import { searchFunds } from '../store/search';
import { statementFile } from '../testing/bank-inputs';
import { Bookkeeper } from '../testing/bookkeeper';
import { RunningPayments, silenceTemporalLog } from '../testing/running-payments';
import { assignUnmatchedRow } from './assign-unmatched-row';
import {
  importSettlements,
  type SettlementFileFormat,
  type SettlementImport,
  settlementFileFormat,
  type UnmatchedRow,
} from './import-settlements';
import { resolveEntry } from './resolve-entry';

jest.setTimeout(900_000);

let database: TestDatabase;
let sql: Sql;
let environment: TestWorkflowEnvironment;
let payments: RunningPayments;
let client: Client;
let books: Bookkeeper;

beforeAll(async () => {
  database = await createTestDatabase({ services: ['payments'] });
  sql = connectPostgres(database.url('payments'), 20, 'test');
  silenceTemporalLog();
  environment = await startTimeSkippingTemporal();
  client = new Client({ connection: environment.connection });
  const { nativeConnection } = environment;
  payments = await RunningPayments.start(sql, newId('prj_'), { client, nativeConnection });
});
afterAll(async () => {
  await payments.stop();
  await environment.teardown();
  await sql.end();
  await database.drop();
});
beforeEach(() => {
  books = new Bookkeeper(sql);
});

const author = () => ({ tenant: books.tenant, environment: 'sandbox', authority: 'operator:test' }) as const;

const dismissed = (row: number) => resolveEntry(sql, author(), row, { kind: 'not_ours', reason: 'a refund' });

async function imported(
  file: string,
  format: SettlementFileFormat = 'csv',
  onProgress?: SettlementImport['onProgress'],
  isDryRun = false,
) {
  const unmatched: UnmatchedRow[] = [];
  const counts = await importSettlements({
    sql,
    isDryRun,
    author: author(),
    file: 'bank.csv',
    format,
    open: () => Readable.from([Buffer.from(file)]),
    onUnmatched: (row) => unmatched.push(row),
    ...(onProgress && { onProgress }),
  });
  unmatched.sort((a, b) => a.line - b.line);
  return { counts, unmatched: unmatched.map(({ line, kind, reason }) => ({ line, kind, reason })) };
}

async function advised(reference: string, amount: number): Promise<string> {
  return books.advise({ [await books.adjudicate(amount)]: amount }, { reference });
}

const csv = (...rows: string[]) =>
  ['source_reference,payer_reference,currency,amount,observed_at', ...rows, ''].join('\n');
const AT = '2026-03-16T14:00:00Z';

test('rows are matched to their remittances, and each unmatched row is reported with its line and reason', async () => {
  const [whole, parts, foreign] = [
    await advised('ERA-1', 100),
    await advised('ERA-2', 100),
    await advised('ERA-3', 100),
  ];
  const taken = await books.observe(parts, 10, { reference: 'B-taken' });
  const { counts, unmatched } = await imported(
    csv(
      `B-100,ERA-1,KES,100,${AT}`,
      `B-200,ERA-2,KES,40,${AT}`,
      `B-300,ERA-unknown,KES,1,${AT}`,
      `B-400,ERA-2,KES,60,${AT}`,
      `B-500,ERA-3,EUR,100,${AT}`,
      `${taken.source_reference},ERA-1,KES,1,${AT}`,
      `B-700,ERA-3,KES,1,2999-01-01T00:00:00Z`,
      `B-800,ERA-3,KES,zero,${AT}`,
    ),
  );
  expect(counts).toEqual({ rows: 8, matched: 2, known: 0, ignored: 0, dismissed: 0, unmatched: 6 });
  expect(unmatched).toEqual([
    { line: 4, kind: 'kept', reason: 'no remittance has the reference ERA-unknown' },
    { line: 5, kind: 'recorded', reason: expect.stringMatching(/^stl_\w+ is recorded and waits unmatched/) },
    { line: 6, kind: 'recorded', reason: expect.stringMatching(/^stl_\w+ is recorded and waits unmatched/) },
    {
      line: 7,
      kind: 'kept',
      reason: expect.stringMatching(/^its reference was used for another settlement, stl_/),
    },
    { line: 8, kind: 'kept', reason: expect.stringContaining('in the future') },
    { line: 9, kind: 'rejected', reason: expect.stringContaining('amount') },
  ]);
  expect(await books.status(whole)).toBe('reconciled');
  expect(await books.status(parts)).toBe('exception');
  expect(await books.status(foreign)).toBe('exception');
});

test('rows whose remittances share a claim, or that share a remittance, are recorded as in files of their own', async () => {
  const [shared, other] = [await books.adjudicate(300), await books.adjudicate(50)];
  const remittances = [
    await books.advise({ [shared]: 100 }, { reference: 'ERA-1' }),
    await books.advise({ [shared]: 120 }, { reference: 'ERA-2' }),
    await books.advise({ [other]: 50 }, { reference: 'ERA-3' }),
    await advised('ERA-4', 70),
  ];
  const rows = [
    `B-1,ERA-1,KES,100,${AT}`,
    `B-2,ERA-2,KES,120,${AT}`,
    `B-3,ERA-3,KES,20,${AT}`,
    `B-4,ERA-3,KES,30,${AT}`,
    `B-5,ERA-4,KES,70,${AT}`,
  ];
  const { counts, unmatched } = await imported(csv(...rows));
  expect([counts.matched, unmatched]).toEqual([5, []]);
  for (const id of remittances) expect(await books.status(id)).toBe('reconciled');
  expect(await books.balances(shared)).toMatchObject({ remitted: 0, cash_observed: 220 });
  expect(await books.balances(other)).toMatchObject({ remitted: 0, cash_observed: 50 });
  expect((await imported(csv(...rows))).counts).toMatchObject({ matched: 0, known: 5, unmatched: 0 });
});

test('two imports of a file of many remittances record each row once, and are not blocked by each other', async () => {
  const references = Array.from({ length: 120 }, (_, index) => `ERA-${index}`);
  for (const reference of references) await advised(reference, 100);
  const file = csv(...references.map((reference, index) => `B-${index},${reference},KES,100,${AT}`));
  const both = await Promise.all([imported(file), imported(file)]);
  expect(both.flatMap(({ unmatched }) => unmatched)).toEqual([]);
  expect(both.reduce((sum, { counts }) => sum + counts.matched, 0)).toBe(120);
  expect(both.reduce((sum, { counts }) => sum + counts.known, 0)).toBe(120);
});

test('a row of a remittance that has the maximum number of settlements is reported, in each import, and later rows are recorded', async () => {
  const full = await advised('ERA-1', 100);
  const other = await advised('ERA-2', 100);
  await books.fillWithSettlements(full, 1_000);
  const file = csv(`B-100,ERA-1,KES,100,${AT}`, `B-200,ERA-2,KES,100,${AT}`);
  const reported = [
    {
      line: 2,
      kind: 'kept',
      reason: 'invalid_state: The remittance has 1,000 settlements, the maximum.',
    },
  ];
  const first = await imported(file);
  expect(first.counts).toMatchObject({ rows: 2, matched: 1, unmatched: 1 });
  expect(first.unmatched).toEqual(reported);
  const second = await imported(file);
  expect(second.counts).toMatchObject({ rows: 2, known: 1, unmatched: 1 });
  expect(second.unmatched).toEqual(reported);
  expect(await books.status(full)).toBe('received');
  expect(await books.status(other)).toBe('reconciled');
});

test('a second import of a file changes nothing', async () => {
  const remittance = await advised('ERA-1', 100);
  const file = csv(`B-100,ERA-1,KES,60,${AT}`, `B-200,ERA-1,KES,40,${AT}`);
  expect((await imported(file)).counts).toMatchObject({ matched: 2, known: 0 });
  const before = await sql`select * from postings where project_id = ${books.tenant} order by id`;
  expect((await imported(file)).counts).toEqual({
    rows: 2,
    matched: 0,
    known: 2,
    ignored: 0,
    dismissed: 0,
    unmatched: 0,
  });
  expect(await sql`select * from postings where project_id = ${books.tenant} order by id`).toEqual(before);
  expect(await books.status(remittance)).toBe('reconciled');
});

test('rows of a file with one reference are all recorded or kept, and reported like in a second run', async () => {
  const remittance = await advised('ERA-1', 100);
  await advised('ERA-2', 100);
  const rows = [
    `B-100,ERA-1,KES,100,${AT}`,
    `B-100,ERA-1,KES,100,${AT}`,
    'B-100,ERA-1,KES,100,2026-03-17T14:00:00Z',
    `B-100,ERA-1,KES,99,${AT}`,
    `B-100,ERA-2,KES,100,${AT}`,
  ];
  const first = await imported(csv(...rows));
  expect(first.counts).toEqual({ rows: 5, matched: 1, known: 0, ignored: 0, dismissed: 0, unmatched: 4 });
  expect(first.unmatched).toEqual([
    { line: 3, kind: 'kept', reason: expect.stringContaining('repeats a row of the same file') },
    { line: 4, kind: 'kept', reason: expect.stringContaining('differs in the date (there 2026-03-16)') },
    { line: 5, kind: 'kept', reason: expect.stringContaining('differs in the amount') },
    { line: 6, kind: 'kept', reason: expect.stringContaining('differs in the references') },
  ]);
  expect(await books.status(remittance)).toBe('reconciled');
  const again = await imported(csv(...rows));
  expect(again).toEqual({ ...first, counts: { ...first.counts, matched: 0, known: 1 } });
  const open = await listOpenEntries(sql, books.tenant);
  expect(open.map(({ amount }) => amount)).toEqual([100, 100, 99, 100]);
});

test('a reference whose first row is unreadable can be used by the next row', async () => {
  await advised('ERA-1', 100);
  const { counts } = await imported(csv(`B-100,ERA-1,KES,none,${AT}`, `B-100,ERA-1,KES,100,${AT}`));
  expect(counts).toMatchObject({ matched: 1, unmatched: 1 });
});

test('rows of two concurrent imports of a file are counted as matched once', async () => {
  await advised('ERA-1', 100);
  const file = csv(`B-100,ERA-1,KES,60,${AT}`, `B-200,ERA-1,KES,40,${AT}`);
  const both = await Promise.all([imported(file), imported(file)]);
  const sum = (name: 'matched' | 'known') => both.reduce((total, { counts }) => total + counts[name], 0);
  expect([sum('matched'), sum('known')]).toEqual([2, 2]);
});

test('a NUL in a reference rejects its row only', async () => {
  const remittance = await advised('ERA-1', 100);
  const { counts, unmatched } = await imported(
    csv(
      `B-100,ERA-1,KES,60,${AT}`,
      `B-\u00001,ERA-1,KES,1,${AT}`,
      `B-300,ERA\u0000,KES,1,${AT}`,
      `B-400,ERA-1,KES,40,${AT}`,
    ),
  );
  expect(counts).toMatchObject({ rows: 4, matched: 2, unmatched: 2 });
  expect(unmatched.map(({ line }) => line)).toEqual([3, 4]);
  expect(await books.status(remittance)).toBe('reconciled');
});

test('no row of a truncated file is imported', async () => {
  await advised('ERA-1', 100);
  await expect(imported(csv(`B-100,ERA-1,KES,100,${AT}`, '"B-200,ERA-1'))).rejects.toThrow(FileError);
  expect(await sql`select 1 from settlements where project_id = ${books.tenant}`).toHaveLength(0);
});

test('the progress is reported after each row, with the number of rows of the file', async () => {
  await advised('ERA-1', 100);
  const progress: number[][] = [];
  const rows = [`B-100,ERA-1,KES,100,${AT}`, `B-200,ERA-x,KES,1,${AT}`, `B-300,ERA-1,KES,zero,${AT}`];
  await imported(csv(...rows), 'csv', (counts, total) => progress.push([counts.rows, total]));
  expect(progress).toEqual([
    [1, 3],
    [2, 3],
    [3, 3],
  ]);
});

test('the check of a file is reported in bytes, before the first row', async () => {
  const file = csv(`B-100,ERA-1,KES,100,${AT}`);
  const reported: string[] = [];
  await importSettlements({
    sql,
    isDryRun: false,
    author: author(),
    file: 'bank.csv',
    format: 'csv',
    open: () => Readable.from([Buffer.from(file.slice(0, 10)), Buffer.from(file.slice(10))]),
    onChecked: (bytes) => reported.push(`${bytes} bytes`),
    onProgress: ({ rows }) => reported.push(`${rows} rows`),
  });
  expect(reported).toEqual(['10 bytes', `${file.length} bytes`, '1 rows']);
});

test('a dry run reports what an import would do, and records and keeps nothing', async () => {
  const remittance = await advised('ERA-1', 100);
  const file = csv(
    `B-100,ERA-1,KES,60,${AT}`,
    `B-100,ERA-1,KES,60,${AT}`,
    `B-100,ERA-1,KES,61,${AT}`,
    `B-200,ERA-unknown,KES,1,${AT}`,
  );
  const dryRun = await imported(file, 'csv', undefined, true);
  expect(dryRun.counts).toEqual({ rows: 4, matched: 1, known: 0, ignored: 0, dismissed: 0, unmatched: 3 });
  expect(dryRun.unmatched.map(({ line }) => line)).toEqual([3, 4, 5]);
  expect(await sql`select 1 from settlements where remittance_id = ${remittance}`).toHaveLength(0);
  expect(await listOpenEntries(sql, books.tenant)).toEqual([]);
  // The rows have other numbers, because the dry run has used those that it gave.
  expect((await imported(file)).counts).toEqual(dryRun.counts);
});

describe('the work of a dry run grows with the number of rows, not faster:', () => {
  /** Returns per row of a file the number of SQL statements of its dry run, and of entries of maps that it iterates. */
  async function workPerRow(rows: readonly string[]) {
    const entriesOf = Map.prototype[Symbol.iterator];
    let entries = 0;
    const iterated = jest.spyOn(Map.prototype, Symbol.iterator).mockImplementation(function* (this: never) {
      for (const entry of entriesOf.call(this)) {
        entries += 1;
        yield entry;
      }
    } as never);
    let statements = 0;
    const counted = <Sends extends Sql | Tx>(sends: Sends): Sends =>
      new Proxy(sends, {
        apply(statement, self, parts) {
          statements += 1;
          return Reflect.apply(statement as never, self, parts);
        },
        get: (target, name) =>
          name === 'begin'
            ? (work: (tx: Tx) => Promise<unknown>) => sql.begin((tx) => work(counted(tx)))
            : Reflect.get(target, name),
      });
    const counting = counted(sql);
    try {
      await importSettlements({
        sql: counting,
        isDryRun: true,
        author: author(),
        file: 'bank.csv',
        format: 'csv',
        open: () => Readable.from([csv(...rows)]),
      });
    } finally {
      iterated.mockRestore();
    }
    return { statements: statements / rows.length, entries: entries / rows.length };
  }

  test.each([
    ['of different credits', (index: number) => `B-${index}`, 0.05],
    ['whose references repeat', (index: number) => `B-${Math.floor(index / 2)}`, 3],
  ])('rows %s', async (_name, reference, statements) => {
    await advised('ERA-1', 100);
    const rowsOf = (count: number) =>
      Array.from({ length: count }, (_, index) => {
        const payer = index % 2 === 0 ? 'ERA-1' : 'ERA-unknown';
        return `${reference(index)}00,${payer},KES,1,${AT}`;
      });
    const few = await workPerRow(rowsOf(1_000));
    const many = await workPerRow(rowsOf(4_000));
    for (const work of [few, many]) expect(work.statements).toBeLessThanOrEqual(statements);
    expect(many.entries).toBeLessThanOrEqual(few.entries + 1);
  });
});

test('a file of more than 500,000 rows is rejected after that many rows, and nothing is recorded', async () => {
  await advised('ERA-1', 100);
  let chunks = 0;
  function* endless() {
    yield csv(`B-100,ERA-1,KES,100,${AT}`);
    for (; chunks < 60; chunks += 1) yield 'x\n'.repeat(10_000);
  }
  const importing = importSettlements({
    sql,
    isDryRun: false,
    author: author(),
    file: 'bank.csv',
    format: 'csv',
    open: () => Readable.from(endless(), { highWaterMark: 1 }),
  });
  await expect(importing).rejects.toThrow(new FileError('The file has more than 500,000 rows, the maximum.'));
  expect(chunks).toBeLessThan(60);
  expect(await sql`select 1 from settlements where project_id = ${books.tenant}`).toHaveLength(0);
});

test('the reason of a row does not contain the whole of a long reference', async () => {
  const { unmatched } = await imported(csv(`B-100,${'ERA'.repeat(10_000)},KES,100,${AT}`));
  expect(unmatched).toMatchObject([
    { line: 2, kind: 'kept', reason: expect.stringMatching(/^no remittance.*…$/) },
  ]);
  expect(unmatched[0]?.reason.length).toBeLessThan(500);
});

test('a row that matches no remittance is kept once, and listed until a settlement has its reference', async () => {
  const file = csv(`B-100,ERA-1,KES,100,${AT}`, `B-200,,KES,40,${AT}`, `B-300,ERA-1,XXX,1,${AT}`);
  await imported(file);
  await imported(file);
  expect(await listOpenEntries(sql, books.tenant)).toEqual([
    {
      row: expect.any(Number),
      project_id: books.tenant,
      type: 'credit',
      account: '',
      source_reference: 'B-100',
      payer_reference: 'ERA-1',
      currency: 'KES',
      amount: 100,
      open: 100,
      observed_at: new Date(AT),
      doubt: null,
      settlements: [],
      file: 'bank.csv',
      line: 2,
    },
    expect.objectContaining({ source_reference: 'B-200', payer_reference: null, line: 3 }),
  ]);
  // The remittance is created after the import, and the next import of the file records the row.
  await advised('ERA-1', 100);
  expect((await imported(file)).counts).toMatchObject({ matched: 1, unmatched: 2 });
  expect(await listOpenEntries(sql, books.tenant)).toMatchObject([{ source_reference: 'B-200' }]);
});

test('a kept row is assigned to a remittance once, and later imports of its file know it', async () => {
  const remittance = await advised('ERA-1', 40);
  const file = csv(`B-200,unknown,KES,40,${AT}`);
  await imported(file);
  const [kept] = await listOpenEntries(sql, books.tenant);
  const assign = (remittanceId: string, row = kept?.row ?? 0) =>
    assignUnmatchedRow({ sql, author: author() }, row, remittanceId);
  await expect(assign('rem_unknown')).rejects.toMatchObject({ code: 'resource_not_found' });
  await expect(
    assignUnmatchedRow({ sql, author: { ...author(), tenant: newTenant() } }, kept?.row ?? 0, remittance),
  ).resolves.toBeNull();
  expect(await assign(remittance)).toMatchObject({
    remittance_id: remittance,
    source_reference: 'B-200',
    amount: { currency: 'KES', observed: 40 },
    status: 'matched',
    observed_at: '2026-03-16T14:00:00.000Z',
  });
  expect(await books.status(remittance)).toBe('reconciled');
  expect(await assign(remittance)).toBeNull();
  expect(await assign(remittance, 0)).toBeNull();
  expect(await listOpenEntries(sql, books.tenant)).toEqual([]);
  expect((await imported(file)).counts).toMatchObject({ known: 1, unmatched: 0 });
});

test.each([
  ['amount', `B-100,unknown,KES,99,${AT}`],
  ['currency', `B-100,unknown,EUR,100,${AT}`],
  ['date', 'B-100,unknown,KES,100,2026-03-17T14:00:00Z'],
])(
  'a credit of another %s does not replace the kept row with its reference, and is kept in doubt',
  async (_name, other) => {
    const remittance = await advised('ERA-1', 99);
    const first = `B-100,unknown,KES,100,${AT}`;
    const named = other.replace('unknown', 'ERA-1');
    const file = csv(first, other, named);
    const expected = {
      counts: { rows: 3, matched: 0, known: 0, ignored: 0, dismissed: 0, unmatched: 3 },
      unmatched: [
        { line: 2, kind: 'kept', reason: 'no remittance has the reference unknown' },
        { line: 3, kind: 'kept', reason: expect.stringContaining('its reference was used for') },
        { line: 4, kind: 'kept', reason: expect.stringContaining('its reference was used for') },
      ],
    };
    expect(await imported(file, 'csv', undefined, true)).toEqual(expected);
    expect(await imported(file)).toEqual(expected);
    expect(await imported(file)).toEqual(expected);
    const [kept, ...others] = await listOpenEntries(sql, books.tenant);
    expect(kept).toMatchObject({ currency: 'KES', amount: 100, observed_at: new Date(AT), doubt: null });
    expect(others.map(({ doubt }) => doubt)).toEqual([expect.any(String), expect.any(String)]);

    await dismissed(kept?.row ?? 0);
    expect((await imported(csv(first, other))).counts).toMatchObject({ dismissed: 1, unmatched: 1 });
    expect(await books.status(remittance)).toBe('received');
  },
);

test('a row can be assigned to the remittances that lack an amount, the nearest to its amount first', async () => {
  const whole = await advised('ERA-1', 100);
  const rest = await advised('ERA-2', 150);
  await imported(csv(`B-1,ERA-2,KES,110,${AT}`));
  await advised('ERA-PAID', 40);
  await imported(csv(`B-2,ERA-PAID,KES,40,${AT}`));
  const row = { currency: 'KES', open: 40 };
  const { data, has_more } = await findCandidates(sql, books.tenant, row);
  expect(data.map(({ id, total, observed, lacking }) => [id, total, observed, lacking])).toEqual([
    [rest, 150, 110, 40],
    [whole, 100, 0, 100],
  ]);
  expect(has_more).toBe(false);
  expect(await findCandidates(sql, books.tenant, { ...row, currency: 'USD' })).toMatchObject({ data: [] });
  expect(await findCandidates(sql, newTenant(), row)).toMatchObject({ data: [], has_more: false });
});

test('the candidates of a row say that more remittances wait than were compared, also if no compared one lacks funds', async () => {
  const older = await advised('ERA-OLD', 100);
  for (const reference of ['ERA-A', 'ERA-B'])
    await books.observe(await advised(reference, 100), 130, { reference: `B-${reference}` });
  const candidates = async (compared: number) => {
    const { data, has_more } = await findCandidates(
      sql,
      books.tenant,
      { currency: 'KES', open: 1 },
      compared,
    );
    return [data.map(({ id }) => id), has_more];
  };
  expect(await candidates(1)).toEqual([[], true]);
  expect(await candidates(3)).toEqual([[older], false]);
});

test('found rows of bank files are newest first, whatever the number of digits of their numbers', async () => {
  const admin = connectPostgres(database.adminUrl, 1, 'test');
  const [row] = await admin<
    { last: number }[]
  >`select coalesce(max(id), 1) as last from payments.bank_entries`;
  const before = 10 ** String(row?.last).length - 2;
  await admin`select setval(pg_get_serial_sequence('payments.bank_entries', 'id'), ${before})`;
  await admin.end();
  for (const reference of ['FT-1', 'FT-2', 'FT-3']) await imported(csv(`${reference},,KES,777,${AT}`));
  const found = await searchFunds(sql, books.tenant, { range: null, amounts: [777], limit: 10 });
  expect(found.map(({ name }) => name)).toEqual(['FT-3', 'FT-2', 'FT-1']);
});

test('funds are found by the beginning of a reference in any form, and by their amount, in their project alone', async () => {
  const remittance = await advised('ERA-2026/07 A', 123_400);
  await imported(csv(`FT-26-110,ERA-2026/07 A,KES,123400,${AT}`, `FT-26-111,,KES,777,${AT}`));
  const found = async (text: string, amounts: number[] = [], tenant = books.tenant) =>
    (await searchFunds(sql, tenant, { range: searchRange(text), amounts, limit: 10 })).map(
      ({ name }) => name,
    );
  for (const text of ['era-2026', 'ERA 2026 07', 'era202607a', ' Era-2026/07 a '])
    expect([text, await found(text)]).toEqual([text, ['ERA-2026/07 A']]);
  expect((await found('ft26')).sort()).toEqual(['FT-26-110', 'FT-26-111']);
  expect((await found('', [123_400])).sort()).toEqual(['ERA-2026/07 A', 'FT-26-110']);
  expect(await found('', [777])).toEqual(['FT-26-111']);
  for (const text of ['e', '%', '2026', 'nothing']) expect([text, await found(text)]).toEqual([text, []]);
  expect(await found('era-2026', [123_400, 777], newTenant())).toEqual([]);
  expect(remittance).toMatch(/^rem_/);
});

test('a kept row whose settlement was reversed is listed, and assigned again under a reference of its own', async () => {
  const [wrong, right] = [await advised('ERA-1', 40), await advised('ERA-2', 40)];
  const file = csv(`B-200,unknown,KES,40,${AT}`);
  await imported(file);
  const [kept] = await listOpenEntries(sql, books.tenant);
  const assign = (remittanceId: string) =>
    assignUnmatchedRow({ sql, author: author() }, kept?.row ?? 0, remittanceId);
  for (const reference of ['B-200', 'B-200#2']) {
    const settlement = await assign(wrong);
    expect(settlement).toMatchObject({ source_reference: reference, status: 'matched' });
    expect(await listOpenEntries(sql, books.tenant)).toEqual([]);
    expect(await assign(wrong)).toBeNull();
    await books.reverse({ id: settlement?.id ?? '' });
    expect(await listOpenEntries(sql, books.tenant)).toEqual([kept]);
  }
  expect(await assign(right)).toMatchObject({ source_reference: 'B-200#3', status: 'matched' });
  expect(await books.status(right)).toBe('reconciled');
  expect(await listOpenEntries(sql, books.tenant)).toEqual([]);
  expect((await imported(file)).counts).toMatchObject({ known: 1, unmatched: 0 });
});

test('a row that was recorded for the wrong remittance is open after its reversal, and can be assigned or dismissed', async () => {
  const [wrong, right] = [await advised('ERA-1', 40), await advised('ERA-2', 40)];
  const file = csv(`B-200,ERA-1,KES,40,${AT}`);
  await imported(file);
  const [settlement] = await sql<{ id: string }[]>`select id from settlements where remittance_id = ${wrong}`;
  await books.reverse({ id: settlement?.id ?? '' });
  const reported = {
    counts: { rows: 1, matched: 0, known: 0, ignored: 0, dismissed: 0, unmatched: 1 },
    unmatched: [{ line: 2, kind: 'kept', reason: `its settlement ${settlement?.id} was reversed` }],
  };
  expect(await listOpenEntries(sql, books.tenant)).toHaveLength(1);
  expect(await imported(file, 'csv', undefined, true)).toEqual(reported);
  expect(await imported(file)).toEqual(reported);
  const [kept] = await listOpenEntries(sql, books.tenant);
  await dismissed(kept?.row ?? 0);
  expect((await imported(file)).counts).toMatchObject({ dismissed: 1, unmatched: 0 });
  const assignment = { sql, author: author() };
  expect(await assignUnmatchedRow(assignment, kept?.row ?? 0, right)).toMatchObject({
    source_reference: 'B-200#2',
    status: 'matched',
  });
  expect((await imported(file)).counts).toMatchObject({ known: 1, unmatched: 0 });
});

test('concurrent assignments and imports of one row record one settlement, also after a reversal', async () => {
  const remittances = [await advised('ERA-1', 40), await advised('ERA-2', 40)];
  const file = csv(`B-200,unknown,KES,40,${AT}`);
  await imported(file);
  const [kept] = await listOpenEntries(sql, books.tenant);
  const unreversed = () => sql<{ id: string; remittance_id: string }[]>`
    select id, remittance_id from settlements
    where remittance_id = any(${remittances}) and status <> 'reversed'`;
  for (const _ of [1, 2]) {
    await Promise.allSettled([
      ...remittances.flatMap((remittance) =>
        [1, 2, 3].map(() => assignUnmatchedRow({ sql, author: author() }, kept?.row ?? 0, remittance)),
      ),
      imported(file),
    ]);
    const [settlement, ...others] = await unreversed();
    expect([settlement, others]).toEqual([expect.anything(), []]);
    if (settlement !== undefined) await books.reverse(settlement);
  }
});

test("a client's settlement does not replace another one because its reference looks like a replacement", async () => {
  const remittance = await advised('ERA-1', 80);
  await imported(csv(`INV-7,ERA-1,KES,40,${AT}`, `INV-7#2,ERA-1,KES,40,${AT}`));
  const [first] = await sql<{ id: string }[]>`
    select id from settlements where remittance_id = ${remittance} and source_reference = 'INV-7'`;
  await books.reverse({ id: first?.id ?? '' });
  const { unmatched } = await imported(csv(`INV-7,ERA-1,KES,40,${AT}`));
  expect(unmatched).toEqual([{ line: 2, kind: 'kept', reason: `its settlement ${first?.id} was reversed` }]);
  const [kept] = await listOpenEntries(sql, books.tenant);
  const assignment = { sql, author: author() };
  expect(await assignUnmatchedRow(assignment, kept?.row ?? 0, remittance)).toMatchObject({
    source_reference: 'INV-7#3',
  });
  expect(await listOpenEntries(sql, books.tenant)).toEqual([]);
});

test('a reference of the greatest length has replacements of that length', async () => {
  const remittance = await advised('ERA-1', 40);
  const reference = 'B'.repeat(200);
  await imported(csv(`${reference},ERA-1,KES,40,${AT}`));
  const [settlement] = await sql<{ id: string }[]>`
    select id from settlements where remittance_id = ${remittance}`;
  await books.reverse({ id: settlement?.id ?? '' });
  await imported(csv(`${reference},ERA-1,KES,40,${AT}`));
  const [kept] = await listOpenEntries(sql, books.tenant);
  const assignment = { sql, author: author() };
  const assigned = await assignUnmatchedRow(assignment, kept?.row ?? 0, remittance);
  expect(assigned?.source_reference).toBe(`${'B'.repeat(195)}#2`);
  expect(await listOpenEntries(sql, books.tenant)).toEqual([]);
});

describe('the routes of operators', () => {
  const ask = (
    method: 'GET' | 'POST',
    path: string,
    asked?: { readonly body?: object; readonly issuer?: 'gateway' },
  ) => payments.operator(books.tenant, method, path, asked);
  const foreign = newTenant();

  test('list, assign and dismiss the rows of the project alone', async () => {
    const remittance = await advised('ERA-1', 40);
    await imported(csv(`B-200,unknown,KES,40,${AT}`, `B-201,unknown,KES,50,${AT}`));
    const { body } = await ask('GET', '/unmatched_rows');
    expect(body).toMatchObject({
      data: [{ source_reference: 'B-200', amount: 40 }, { source_reference: 'B-201' }],
      has_more: false,
    });
    const [first, second] = body.data.map(({ row }: { row: number }) => `/unmatched_rows/${row}`);
    const assignment = { body: { remittance_id: remittance } };
    const dismissal = { body: { reason: 'a refund' } };
    for (const [method, path, asked] of [
      ['GET', first, undefined],
      ['POST', `${first}/assignments`, assignment],
      ['POST', `${first}/dismissals`, dismissal],
      ['POST', `${first}/expectations`, dismissal],
      ['POST', `${first}/reopenings`, dismissal],
    ] as const) {
      expect([path, (await payments.operator(foreign, method, path, asked)).status]).toEqual([path, 404]);
      const asKey = await ask(method, path, { ...asked, issuer: 'gateway' });
      expect([path, asKey.status]).toEqual([path, 403]);
    }
    expect((await payments.operator(foreign, 'GET', '/unmatched_rows')).body.data).toEqual([]);
    const malformed = await ask('POST', `${first}/assignments`, { body: { remittance_id: 'B-200' } });
    expect([malformed.status, malformed.body.error.code]).toEqual([400, 'validation_failed']);
    expect((await ask('GET', '/unmatched_rows/x')).status).toBe(404);

    const assigned = await ask('POST', `${first}/assignments`, assignment);
    expect(assigned).toMatchObject({ status: 200, body: { remittance_id: remittance, status: 'matched' } });
    expect((await ask('POST', `${first}/assignments`, assignment)).status).toBe(404);
    expect((await ask('POST', `${second}/dismissals`)).status).toBe(400);
    expect((await ask('POST', `${second}/dismissals`, dismissal)).status).toBe(200);
    expect((await ask('POST', `${second}/dismissals`, dismissal)).status).toBe(404);
    expect((await ask('GET', '/unmatched_rows')).body.data).toEqual([]);
  });

  test('list the rows of the project by kind, currency and text, in each order, in pages', async () => {
    const odd = (index: number) => (index % 2 === 1 ? 'Odd_' : 'even');
    const line = (index: number) => `B-${1_000 - index},${odd(index)},KES,${200 + ((index * 7) % 103)},${AT}`;
    await imported(csv(...Array.from({ length: 103 }, (_, index) => line(index)), `U-1,none,USD,5,${AT}`));
    type Shown = { row: number; source_reference: string; currency: string; open: number };
    const page = async (body: object) => (await ask('POST', '/unmatched_rows', { body })).body;
    const all = async (body: object) => {
      const first = await page(body);
      expect([first.data.length, first.has_more]).toEqual([100, true]);
      const second = await page({ ...body, after: first.next });
      expect([second.has_more, second.next, second.totals]).toEqual([false, null, first.totals]);
      return [...first.data, ...second.data] as Shown[];
    };
    const oldest = await all({});
    expect(oldest.map(({ row }) => row)).toEqual(oldest.map(({ row }) => row).toSorted((a, b) => a - b));
    expect(new Set(oldest.map(({ row }) => row)).size).toBe(104);
    const largest = (await all({ order: 'largest' })).map(({ open }) => open);
    expect(largest).toEqual(oldest.map(({ open }) => open).toSorted((a, b) => b - a));
    const references = (await all({ order: 'reference' })).map((each) => each.source_reference);
    expect(new Set(references).size).toBe(104);
    expect([references[0], references.at(-1)]).toEqual(['B-1000', 'U-1']);
    expect(await all({ order: 'observed', currency: 'KES' }).then((rows) => rows.length)).toBe(103);

    const odds = await page({ text: 'oDD_', kind: 'credit' });
    expect(odds).toMatchObject({ has_more: false, totals: [{ currency: 'KES', count: 51 }] });
    expect(odds.data).toHaveLength(51);
    expect(odds.totals[0].open).toBe(odds.data.reduce((sum: number, { open }: Shown) => sum + open, 0));
    for (const none of [{ kind: 'takeback' }, { kind: 'doubt' }, { text: '%' }, { currency: 'EUR' }])
      expect(await page(none)).toEqual({ data: [], has_more: false, next: null, totals: [] });
    expect((await payments.operator(foreign, 'POST', '/unmatched_rows', { body: {} })).body.data).toEqual([]);
    for (const body of [
      ...[
        { kind: 'x' },
        { currency: 'kes' },
        { text: 7 },
        { text: '\0' },
        { order: 'newest' },
        { after: '7' },
      ],
      ...[{ after: '7~x' }, { after: '7~x', order: 'observed' }, { after: '7~\0', order: 'reference' }],
    ])
      expect([body, (await ask('POST', '/unmatched_rows', { body })).status]).toEqual([body, 400]);
  });

  test('plan a takeback of the project, and execute the plan that was seen', async () => {
    const remittance = await advised('ERA-1', 1_000);
    const entry = { amount: '10.00', bankReference: 'B-1', endToEndId: 'ERA-1' };
    const importStatement = (id: string, stated: object) =>
      ask('POST', '/bank_files', {
        body: {
          ...{ file: 'day.xml', time_zone: 'UTC', dry_run: false },
          content: Buffer.from(statementFile({ id, entries: [{ ...entry, ...stated }] })).toString('base64'),
          csv: { amounts: 'decimal-point', dates: 'iso' },
        },
      });
    await importStatement('S-1', {});
    await importStatement('S-2', { indicator: 'DBIT', isReversal: true, bankReference: 'B-2' });
    const [{ row }] = (await ask('GET', '/unmatched_rows')).body.data;
    const path = `/unmatched_rows/${row}/takebacks`;
    const { body: plan } = await ask('GET', path);
    expect(plan).toMatchObject({
      credit: { source_reference: 'B-1' },
      settlements: [{ remittance_id: remittance, payer_reference: 'ERA-1', amount: 1_000 }],
      open: 0,
    });
    const seen = { body: { settlements: [plan.settlements[0].id] } };
    for (const [method, asked] of [
      ['GET', undefined],
      ['POST', seen],
    ] as const) {
      expect((await payments.operator(foreign, method, path, asked)).status).toBe(404);
      expect((await ask(method, path, { ...asked, issuer: 'gateway' })).status).toBe(403);
    }
    for (const body of [undefined, {}, { settlements: 'stl_1' }, { settlements: [1] }])
      expect((await ask('POST', path, body === undefined ? {} : { body })).status).toBe(400);
    expect((await ask('POST', path, { body: { settlements: [] } })).status).toBe(409);
    const done = await ask('POST', path, seen);
    expect(done.body).toMatchObject({
      data: [{ id: plan.settlements[0].id, status: 'reversed' }],
      problem: null,
    });
    expect((await ask('GET', path)).status).toBe(404);
  });

  describe('import an uploaded file', () => {
    const upload = (text: string | Buffer, more: object = {}) => ({
      body: {
        file: 'bank.csv',
        content: Buffer.from(text).toString('base64'),
        csv: { amounts: 'decimal-point', dates: 'iso' },
        time_zone: 'Africa/Nairobi',
        dry_run: false,
        ...more,
      },
    });
    const file = () =>
      csv(
        `B-1,ERA-1,KES,"1,000.50",${AT}`,
        `B-2,unknown,KES,2.00,${AT}`,
        `B-3,ERA-1,KES,zero,${AT}`,
        `B-4,ERA-1,KES,1.00,${AT}`,
      );

    test('in a dry run without any effect, then with one result per row; a repetition changes nothing', async () => {
      const remittance = await advised('ERA-1', 100_050);
      const results = ({ rows }: { rows: readonly Record<string, unknown>[] }) =>
        rows.map(({ line, result, amount, remittance_id }) => [line, result, amount, remittance_id]);
      const dry = await ask('POST', '/bank_files', upload(gzipSync(file()), { dry_run: true }));
      expect(dry.status).toBe(200);
      expect(dry.body).toMatchObject({
        counts: { rows: 4, matched: 2, known: 0, unmatched: 2 },
        preview: [{ line: 2, type: 'credit', amount: 100_050, bookedOn: '2026-03-16' }, { line: 3 }],
        statements: [],
      });
      expect(results(dry.body)).toEqual([
        [2, 'matched', 100_050, remittance],
        [3, 'kept', 200, null],
        [4, 'rejected', null, null],
        [5, 'matched', 100, remittance],
      ]);
      expect((await ask('GET', '/unmatched_rows')).body.data).toEqual([]);
      expect(await books.status(remittance)).toBe('received');

      const recorded = await ask('POST', '/bank_files', upload(gzipSync(file())));
      expect(results(recorded.body)).toEqual([
        [2, 'matched', 100_050, remittance],
        [3, 'kept', 200, null],
        [4, 'rejected', null, null],
        [5, 'recorded', 100, remittance],
      ]);
      const [kept] = (await ask('GET', '/unmatched_rows')).body.data;
      expect(recorded.body.rows[1]).toMatchObject({
        row: kept.row,
        reason: expect.stringContaining('unknown'),
      });
      const again = await ask('POST', '/bank_files', upload(file()));
      expect(results(again.body).map(([, result]) => result)).toEqual(['known', 'kept', 'rejected', 'known']);
      expect(await sql`select 1 from settlements where project_id = ${books.tenant}`).toHaveLength(2);
    });

    test('with the statements that differ from their entries, and list them', async () => {
      const balance = (code: string, amount: string) =>
        `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="KES">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>`;
      const statement = statementFile({
        id: 'S-1',
        balances: balance('OPBD', '0.00') + balance('CLBD', '20.00'),
        entries: [{ amount: '10.00', bankReference: 'B-1', endToEndId: 'ERA-9' }],
      });
      const { body } = await ask('POST', '/bank_files', upload(statement, { file: 'day.xml' }));
      expect(body).toMatchObject({
        counts: { rows: 1 },
        statements: [{ statement: 'S-1', differences: [expect.stringContaining('closing balance')] }],
      });
      expect((await ask('GET', '/bank_statements')).body.data).toMatchObject([
        { account: '0001', statement: 'S-1', file: 'day.xml', differences: body.statements[0].differences },
      ]);
      expect((await payments.operator(foreign, 'GET', '/bank_statements')).body.data).toEqual([]);
    });

    test.each([
      ['that can’t be read', { content: 'bm90aGluZw==' }, "/file can't be imported: "],
      ['without a name', { file: '' }, '/file must have a name and a content.'],
      ['with an unknown form of amounts', { csv: { amounts: 'words', dates: 'iso' } }, '/csv/amounts'],
      ['with an unknown form of dates', { csv: { amounts: 'minor-units' } }, '/csv/dates'],
      ['with an unknown time zone', { time_zone: 'Mars/Base' }, '/time_zone'],
    ])('and reject one %s', async (_name, more, message) => {
      const { status, body } = await ask('POST', '/bank_files', upload(file(), more));
      expect([status, body.error.code]).toEqual([400, 'validation_failed']);
      expect(body.error.message).toContain(message);
    });

    test('and reject one of too many rows or bytes, before any row is recorded', async () => {
      const rows = Array.from({ length: 3_001 }, (_, index) => `B-${index},,KES,1.00,${AT}`);
      const long = await ask('POST', '/bank_files', upload(csv(...rows)));
      expect(long.body.error.message).toContain('more than 3,000 rows');
      const large = await ask('POST', '/bank_files', upload(Buffer.alloc(4 * 1024 * 1024 + 1)));
      expect(large.status).toBe(413);
      expect((await ask('GET', '/unmatched_rows')).body.data).toEqual([]);
    });
  });

  test('list the postings of a claim, in the order of recording', async () => {
    const claimId = await books.adjudicate(40);
    await books.adjudicate(30, { claimId, version: 2 });
    const { body } = await ask('GET', `/claims/${claimId}/postings`);
    expect(body.data[0]).toMatchObject({ source: 'charges', amount: expect.any(Number), currency: 'KES' });
    const [stored] = await sql<{ count: number }[]>`
      select count(*)::integer as count from postings where claim_id = ${claimId}`;
    expect([body.data.length, body.has_more]).toEqual([stored?.count, false]);
    const recorded = body.data.map(({ recorded_at }: { recorded_at: string }) => recorded_at);
    expect(recorded).toEqual([...recorded].sort());
    expect((await payments.operator(foreign, 'GET', `/claims/${claimId}/postings`)).body.data).toEqual([]);
    expect((await ask('GET', '/claims/%00/postings')).status).toBe(404);
  });
});

test('the format is derived from the file’s name', () => {
  expect(settlementFileFormat('march.XML')).toBe('camt');
  expect(settlementFileFormat('march.csv')).toBe('csv');
});

test('a statement of many entries is imported, a tenth of them matched; a second import changes nothing', async () => {
  const entries = testSize({ ci: 200, soak: 10_000 });
  const credits = (entries * 9) / 10;
  const matching = entries / 10;
  for (let index = 0; index < matching; index++) await advised(`ERA-${index}`, 100 + index);
  const row = (direction: 'CRDT' | 'DBIT', index: number) => `<Ntry>
<Amt Ccy="KES">${((100 + index) / 100).toFixed(2)}</Amt><CdtDbtInd>${direction}</CdtDbtInd><Sts>BOOK</Sts>
<BookgDt><Dt>2026-03-16</Dt></BookgDt><AcctSvcrRef>${direction}-${index}</AcctSvcrRef><NtryDtls><TxDtls><Refs>
<EndToEndId>ERA-${index < matching ? index : `x${index}`}</EndToEndId></Refs></TxDtls></NtryDtls></Ntry>`;
  const rows = Array.from({ length: entries }, (_, index) =>
    index < credits ? row('CRDT', index) : row('DBIT', index - credits),
  );
  const file = `<Document><BkToCstmrStmt><Stmt>${rows.join('\n')}</Stmt></BkToCstmrStmt></Document>`;

  const before = process.memoryUsage().rss;
  const startedAt = performance.now();
  const { counts } = await imported(file, 'camt');
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
  const megabytes = Math.round((process.memoryUsage().rss - before) / 1024 ** 2);
  process.stdout.write(
    `${entries} entries, ${counts.matched} matched, ${counts.unmatched} unmatched: ${seconds} s, ${megabytes} MiB more resident\n`,
  );
  // The last tenth are debits with the references of credits: the bank takes these credits back.
  expect(counts).toEqual({
    rows: entries,
    matched: matching,
    known: 0,
    ignored: 0,
    dismissed: 0,
    unmatched: entries - matching,
  });
  expect((await imported(file, 'camt')).counts).toMatchObject({ matched: 0, known: matching });
});
