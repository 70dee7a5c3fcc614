/**
 * Parquet files of claims, with and without rows, read by the libraries of their users. Without Python, only parquet-wasm and DuckDB for
 * Node.js read them.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { MAX_AMOUNT, type ValuationRunClaim } from '@carecover/contract';
import { readParquet as readWithWasm } from 'parquet-wasm/node';
import { AMOUNT_COLUMNS, TEXT_COLUMNS } from './rules/claim-files';
import { readWithDuckDb } from './testing/duckdb';
import { runPython } from './testing/python';
import { claimsParquet } from './use-cases/claim-parquet';

interface Content {
  readonly types: Readonly<Record<string, string>>;
  readonly count: number;
  /** The first two rows and the last one. */
  readonly rows: readonly object[];
}

const undecided: ValuationRunClaim = {
  id: 'clm_2',
  object: 'valuation_run_claim',
  currency: 'KES',
  status: 'submitted',
  practitioner_id: 'prc_1',
  payer_reference: '00123456789012345678901234',
  plan: 'Médical "A", 外来',
  service_month: '2026-01',
  submission_month: '2026-02',
  age_band: 'days_0_30',
  amount: {
    billed: MAX_AMOUNT,
    payer_liability: null,
    patient_responsibility: null,
    adjustment: null,
    remitted: 0,
    settled: 0,
    outstanding: null,
  },
};
const decided: ValuationRunClaim = {
  ...undecided,
  id: 'clm_1',
  plan: '',
  status: 'approved',
  amount: {
    billed: 100,
    payer_liability: 90,
    patient_responsibility: 4,
    adjustment: 6,
    remitted: 90,
    settled: 91,
    outstanding: -1,
  },
};
/** More claims than a row group has. */
const MANY = Array.from({ length: 10_001 }, (_, number) => ({ ...decided, id: `clm_${number}` }));

async function* pagesOf(claims: readonly ValuationRunClaim[]) {
  yield claims;
}

const rowOf = ({ object: _object, amount, ...fields }: ValuationRunClaim) => ({ ...fields, ...amount });

const sample = (claims: readonly ValuationRunClaim[]) => [
  ...claims.slice(0, 2),
  ...claims.slice(2).slice(-1),
];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'carecover-parquet-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('every reader gets the same columns and rows from a file with no claims, few claims and several row groups', async () => {
  const portfolios = [[], [undecided, decided], MANY];
  const files: string[] = [];
  for (const [index, claims] of portfolios.entries()) {
    const bytes = await buffer(claimsParquet(pagesOf(claims)));
    const [path, stream] = [join(folder, `${index}.parquet`), join(folder, `${index}.arrows`)] as const;
    await writeFile(path, bytes);
    await writeFile(stream, readWithWasm(bytes).intoIPCStream());
    expect((await readWithDuckDb(path)).rows).toEqual(claims.map(rowOf));
    files.push(path, stream);
  }
  const read = await runPython<Record<string, Content>[]>(
    'Parquet files in Python',
    'read_parquet.py',
    files,
  );
  if (read === null) return;
  const types = Object.fromEntries([
    ...TEXT_COLUMNS.map((name) => [name, 'text']),
    ...AMOUNT_COLUMNS.map((name) => [name, 'int64']),
  ]);
  for (const [index, claims] of portfolios.entries()) {
    const expected: Content = { types, count: claims.length, rows: sample(claims).map(rowOf) };
    const readers = read[index] ?? {};
    expect(Object.keys(readers)).toEqual([
      'pyarrow',
      'pandas',
      'polars',
      'DuckDB',
      'DataFusion',
      'parquet-wasm',
    ]);
    for (const [reader, content] of Object.entries(readers))
      expect({ reader, ...content }).toEqual({ reader, ...expected });
  }
}, 600_000);
