/**
 * Files with the claims of a valuation run: they equal the claims' valuations, have the same bytes after later writes, and are read by
 * short SQL statements.
 */
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { csvField, type ValuationRunClaim } from '@carecover/contract';
import { newId, type Tenant } from '@carecover/domain';
import { connectPostgres } from '@carecover/postgres';
import { fc } from '@carecover/testing';
import { eventually } from '@carecover/testing/servers';
import { newTenant, testCaller } from '@carecover/testing/services';
import { parse } from 'csv-parse/sync';
import { allCountedClaims } from './store/valuation-runs';
import { readWithDuckDb } from './testing/duckdb';
import { Provider } from './testing/provider';
import { startTestClaims, type TestClaims } from './testing/test-claims';
import { realTimeTemporal } from './testing/test-temporal';
import { openValuationRunFile } from './use-cases/read-valuation-run';

const CSV = 'text/csv';
const LINES = 'application/x-ndjson';
const PARQUET = 'application/vnd.apache.parquet';

let claims: TestClaims;
beforeAll(async () => {
  claims = await startTestClaims(realTimeTemporal);
}, 120_000);
afterAll(() => claims.stop());

async function databaseTime(): Promise<number> {
  const [row] = await claims.sql<{ now: Date }[]>`select platform.now() as now`;
  return row?.now.getTime() ?? Number.NaN;
}

/** Creates a run over all claims of the tenant, and waits for its result. Returns the run's ID. */
async function runAt(tenant: Tenant, at: number): Promise<string> {
  const { status, body } = await claims.ask(tenant, 'createValuationRun', {
    body: { valuation_at: new Date(at).toISOString(), kind: 'totals' },
  });
  expect(status).toBe(201);
  const params = { valuation_run_id: body.id };
  await eventually('the run is ready', async () => {
    const run = await claims.ask(tenant, 'getValuationRun', { params });
    return run.body.status === 'ready';
  });
  return body.id;
}

function open(tenant: Tenant, id: string, accept: string): Promise<Response> {
  return claims.send(tenant, 'listValuationRunClaims', {
    params: { valuation_run_id: id },
    accept,
  });
}

async function file(tenant: Tenant, id: string, accept: string): Promise<Buffer> {
  const response = await open(tenant, id, accept);
  expect([response.status, response.headers.get('content-type')?.split(';')[0]]).toEqual([200, accept]);
  return Buffer.from(await response.arrayBuffer());
}

/** Submits a claim under a coverage with the given plan. */
async function submit(provider: Provider, plan: string): Promise<string> {
  const eligibility_check_id = newId('elig_');
  claims.others.coverages.set(eligibility_check_id, { currency: 'KES', payerId: 'payer_1', plan });
  return (await provider.submitted({ eligibility_check_id })).id;
}

/** Creates claims in several states and returns their IDs, newest first. */
async function createPortfolio(provider: Provider): Promise<string[]> {
  const ids = [];
  for (const plan of [
    'Outpatient',
    '=HYPERLINK("http://example.com")',
    '\'quoted\', "twice"',
    '-1',
    'Médical',
  ])
    ids.unshift(await submit(provider, plan));
  const [first = '', second = '', third = ''] = ids;
  await provider.adjudicate(first, 90_000, 50_000);
  await provider.adjudicate(second, 100_000, 0);
  await provider.remit(second, 100_000);
  await provider.settle(second, 40_000);
  await provider.adjudicate(third, 0, 0);
  return ids;
}

/** Returns the values of a claim by column name, as the CSV and Parquet files should have them. */
function rowOf({ object: _object, amount, ...fields }: ValuationRunClaim) {
  return { ...fields, ...amount };
}

function parsedCsv(bytes: Buffer) {
  const records: Record<string, string>[] = parse(bytes, { columns: true, record_delimiter: '\r\n' });
  return records.map((record) =>
    Object.fromEntries(
      Object.entries(record).map(([name, text]) => {
        if (
          /^(billed|payer_|patient_|adjustment|remitted|settled|outstanding)/.test(name) &&
          name !== 'payer_reference'
        )
          return [name, text === '' ? null : Number(text)];
        return [name, text.replace(/^'/, '')];
      }),
    ),
  );
}

/** Reads a Parquet file with DuckDB. */
async function parsedParquet(bytes: Buffer) {
  const folder = await mkdtemp(join(tmpdir(), 'carecover-parquet-'));
  try {
    const path = join(folder, 'claims.parquet');
    await writeFile(path, bytes);
    return await readWithDuckDb(path);
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('CSV, newline-delimited JSON and Parquet have the valuation of every claim, and the same bytes after later writes', async () => {
  const provider = new Provider(claims);
  const { tenant } = provider;
  const ids = await createPortfolio(provider);
  const at = await databaseTime();
  const id = await runAt(tenant, at);
  const before = await Promise.all([CSV, LINES, PARQUET].map((format) => file(tenant, id, format)));
  const [csv, lines, parquet] = before as [Buffer, Buffer, Buffer];

  const resources: ValuationRunClaim[] = String(lines)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const listed = await claims.ask(tenant, 'listValuationRunClaims', {
    params: { valuation_run_id: id },
    query: { limit: '100' },
  });
  expect(resources).toEqual(listed.body.data);
  const valuations = await Promise.all(ids.map((claimId) => provider.value(claimId, at)));
  expect(resources.map(({ id, status, currency, amount }) => ({ id, status, currency, amount }))).toEqual(
    valuations.map(({ body: { claim_id, status, currency, amount } }) => ({
      id: claim_id,
      status,
      currency,
      amount,
    })),
  );

  const rows = resources.map(rowOf);
  expect(rows.map(({ plan }) => plan)).toContain('=HYPERLINK("http://example.com")');
  expect(parsedCsv(csv)).toEqual(rows);
  const { types, rows: fromParquet } = await parsedParquet(parquet);
  expect(fromParquet).toEqual(rows);
  expect(types).toMatchObject({ id: 'VARCHAR', plan: 'VARCHAR', billed: 'BIGINT', outstanding: 'BIGINT' });

  for (const claimId of ids.slice(3)) await provider.adjudicate(claimId, 1_000, 1_000);
  await submit(provider, 'Outpatient');
  const after = await Promise.all([CSV, LINES, PARQUET].map((format) => file(tenant, id, format)));
  expect(after.map((bytes, index) => bytes.equals(before[index] ?? Buffer.alloc(0)))).toEqual([
    true,
    true,
    true,
  ]);
}, 600_000);

test('a text that a spreadsheet could execute has an apostrophe before it, and so has a text that starts with one', () => {
  const texts = [
    '=1+1',
    '+1',
    '-1',
    '@x',
    '\tx',
    "'x",
    'a=b',
    'a,b',
    'a"b',
    'a\r\nb',
    '',
    'a;b',
    'a\tb',
    '＝1',
  ];
  expect(texts.map(csvField)).toEqual([
    "'=1+1",
    "'+1",
    "'-1",
    "'@x",
    `"'\tx"`,
    "''x",
    'a=b',
    '"a,b"',
    '"a""b"',
    '"a\r\nb"',
    '',
    '"a;b"',
    '"a\tb"',
    "'＝1",
  ]);
});

/**
 * Returns the cells that a spreadsheet makes of a CSV record if it splits at a semicolon or tab: quotes have a meaning only at the start of
 * a cell, so that neither the commas nor most of the quotes of the record protect its texts.
 */
const cellsAt = (separator: string, record: string) =>
  record.split(new RegExp(`${separator}|\\r\\n|\\r|\\n`));

test('no text becomes a formula in a spreadsheet that splits at semicolons or tabs, and a reader gets each text back', async () => {
  const piece = fc.constantFrom(
    ';',
    '\t',
    '\r',
    '\n',
    ',',
    '"',
    "'",
    '=',
    '+',
    '-',
    '@',
    '＝',
    '＋',
    '－',
    '＠',
    'a',
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 8 }), async (pieces) => {
      const text = pieces.join('');
      const record = ['clm_1', csvField(text), csvField(text), '1'].join();
      for (const separator of [';', '\t'])
        for (const cell of cellsAt(separator, record))
          expect(cell.replaceAll('"', '')).not.toMatch(/^[=+\-@＝＋－＠]/);
      const [cells = []] = parse(`${record}\r\n`) as string[][];
      const original = cells.map((cell) => cell.replaceAll(/(^|[;\t\r\n])'/g, '$1'));
      expect(original).toEqual(['clm_1', text, text, '1']);
    }),
  );
});

test('a file of a project without claims has a header and no rows', async () => {
  const tenant = newTenant();
  const id = await runAt(tenant, await databaseTime());
  expect(String(await file(tenant, id, CSV))).toMatch(/^id,currency,[a-z_,]+\r\n$/);
  expect(String(await file(tenant, id, LINES))).toBe('');
  expect((await parsedParquet(await file(tenant, id, PARQUET))).rows).toEqual([]);
});

test('a file of a run that is pending, of another project, or with a page is rejected', async () => {
  const tenant = newTenant();
  const ahead = new Date((await databaseTime()) + 4_000).toISOString();
  const { body } = await claims.ask(tenant, 'createValuationRun', {
    body: { valuation_at: ahead, kind: 'totals' },
  });
  const params = { valuation_run_id: body.id };
  const codeOf = async (asked: object, from = tenant) =>
    (await claims.ask(from, 'listValuationRunClaims', { params, accept: CSV, ...asked })).code;
  expect(await codeOf({})).toBe('valuation_not_ready');
  expect(await codeOf({}, newTenant())).toBe('resource_not_found');
  expect(await codeOf({ query: { limit: '5' } })).toBe('validation_failed');
});

describe('a portfolio of many pages', () => {
  const CLAIMS = 12_500;
  let tenant: Tenant;
  let id: string;

  beforeAll(async () => {
    const provider = new Provider(claims);
    tenant = provider.tenant;
    const original = await submit(provider, 'Outpatient');
    const admin = connectPostgres(claims.database.adminUrl, 1, 'test');
    await admin`
      insert into claims.claims
      select made.* from claims.claims claim, generate_series(1, ${CLAIMS}) n,
        jsonb_populate_record(claim, jsonb_build_object('id', 'clm_' || lpad(n::text, 10, '0'), 'session_id', 'ses_' || n,
          'provider_claim_reference', 'many-' || n, 'provider_claim_reference_key', 'many-' || n, 'status', 'denied', 'decision', 'denied', 'approved', 0,
          'patient_responsibility', 0, 'adjustment', 0, 'adjudication_version', 1)) made
      where claim.id = ${original}`;
    await admin`
      insert into claims.portfolio_deltas
      select made.* from claims.portfolio_deltas delta, generate_series(1, ${CLAIMS}) n,
        jsonb_populate_record(delta, jsonb_build_object('claim_id', 'clm_' || lpad(n::text, 10, '0'))) made
      where delta.claim_id = ${original}`;
    await admin.end();
    id = await runAt(tenant, await databaseTime());
  }, 120_000);

  test('is complete, in order and without duplicates, in every format', async () => {
    const lines = String(await file(tenant, id, LINES))
      .trimEnd()
      .split('\n');
    const ids = lines.map((line) => (JSON.parse(line) as ValuationRunClaim).id);
    expect(ids).toHaveLength(CLAIMS + 1);
    expect(ids).toEqual([...new Set(ids)].sort().reverse());
    expect(parsedCsv(await file(tenant, id, CSV)).map((row) => row.id)).toEqual(ids);
    expect((await parsedParquet(await file(tenant, id, PARQUET))).rows.map((row) => row.id)).toEqual(ids);
  });

  test('a reader that pauses holds no connection and no lock, and continues', async () => {
    const at = await databaseTime();
    const pages = allCountedClaims(claims.sql, testCaller(tenant), { knownAt: at, effectiveThrough: at });
    await pages.next();
    await eventually('no session has a lock', async () => {
      const [held] = await claims.sql<{ count: number }[]>`
        select count(*) as count from pg_locks join pg_stat_activity using (pid)
        where relation = 'claims'::regclass and pid <> pg_backend_pid() and backend_type = 'client backend'`;
      return held?.count === 0 && claims.sql.use().busy === 0;
    });
    let rest = 0;
    for await (const page of pages) rest += page.length;
    expect(rest).toBeGreaterThan(CLAIMS - 2_000);
  });

  test('the reads stop when the stream of the file is destroyed, as a closed connection does', async () => {
    let templates = 0;
    const sql = new Proxy(claims.sql, {
      apply(target, self, args) {
        templates += 1;
        return Reflect.apply(target, self, args);
      },
    });
    const call = { caller: testCaller(tenant), params: { valuation_run_id: id }, query: {} };
    const openFile = async () => {
      const file = await openValuationRunFile(sql, async () => ({}), call as never, LINES);
      if (file === null) throw new Error('the media type is a file');
      return file.stream;
    };
    for await (const _chunk of await openFile());
    const whole = templates;
    templates = 0;
    const stream = await openFile();
    await once(stream, 'readable');
    stream.destroy();
    await once(stream, 'close');
    await eventually('no statement is executed', async () => claims.sql.use().busy === 0);
    const interrupted = templates;
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(templates).toBe(interrupted);
    expect(interrupted).toBeLessThan(whole / 2);
  });
});
