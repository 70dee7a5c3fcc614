/** The programs of the guide "Valuation runs" read the files that this service writes. Without Python this test is skipped. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { MAX_AMOUNT, type ValuationRunClaim } from '@carecover/contract';
import { claimLine } from './rules/claim-files';
import { triangleCsv } from './rules/triangle-csv';
import { runPython } from './testing/python';
import { claimsParquet } from './use-cases/claim-parquet';

const GUIDE = join(__dirname, '../../../docs/guides/valuation-runs.md');

/** What `run_programs.py` prints for a program: its claims, or the ultimates of its triangle. */
type Result = readonly (readonly (string | number | null)[])[];

const PAYER = '00123456789012345678901234';
const claim: ValuationRunClaim = {
  id: 'clm_1',
  object: 'valuation_run_claim',
  currency: 'KES',
  status: 'submitted',
  practitioner_id: 'prc_1',
  payer_reference: PAYER,
  plan: 'NA',
  service_month: '2026-01',
  submission_month: '2026-01',
  age_band: 'days_0_30',
  amount: {
    billed: 100,
    payer_liability: null,
    patient_responsibility: null,
    adjustment: null,
    remitted: 0,
    settled: 0,
    outstanding: null,
  },
};
/** More undecided claims than a library reads to infer a type, and then a decided one. */
const CLAIMS: readonly ValuationRunClaim[] = [
  ...Array.from({ length: 20_500 }, (_, number) => ({ ...claim, id: `clm_${number}` })),
  { ...claim, id: 'clm_decided', amount: { ...claim.amount, outstanding: MAX_AMOUNT } },
];
const LIABILITY = [
  [100, 100, 100],
  [null, 80, 80],
  [null, null, 40],
];
/** The triangle of which the guide gives the factor: the first sum of its first row is 0. */
const SETTLED = [
  [0, 100, 100],
  [null, 50, 80],
  [null, null, 40],
];
const TRIANGLE = {
  origins: ['2026-01-01', '2026-02-01', '2026-03-01'],
  valuation_dates: ['2026-01-31', '2026-02-28', '2026-03-31'],
  currencies: ['KES', 'UGX'].map((currency) => ({
    currency,
    measures: [
      { measure: 'payer_liability' as const, rows: LIABILITY },
      { measure: 'settled' as const, rows: SETTLED },
    ],
  })),
};

async function* pagesOf(claims: readonly ValuationRunClaim[]) {
  yield claims;
}

/** Runs each program of the guide in a folder with the files of these claims, and returns their results in the order of the guide. */
async function runPrograms(claims: readonly ValuationRunClaim[]): Promise<Result[] | null> {
  const folder = await mkdtemp(join(tmpdir(), 'carecover-guide-'));
  try {
    await writeFile(join(folder, 'claims.parquet'), await buffer(claimsParquet(pagesOf(claims))));
    await writeFile(join(folder, 'claims.ndjson'), claims.map(claimLine).join(''));
    await writeFile(join(folder, 'triangle.csv'), triangleCsv(TRIANGLE, 'month'));
    const programs = [...(await readFile(GUIDE, 'utf8')).matchAll(/^```python\n([\s\S]*?)^```$/gm)];
    const files = programs.map((_, index) => join(folder, `${index}.py`));
    for (const [index, [, program = '']] of programs.entries()) await writeFile(files[index] ?? '', program);
    return await runPython<Result[]>('the programs of the guide', 'run_programs.py', [folder, ...files]);
  } finally {
    await rm(folder, { recursive: true });
  }
}

test.each([
  ['many claims', CLAIMS],
  ['no claims', []],
])(
  'each program of the guide reads the files of %s without losing a digit or an amount',
  async (_name, claims) => {
    const results = await runPrograms(claims);
    if (results === null) return;
    const [ultimates, ...readers] = results;
    expect(ultimates).toEqual([[100], [80], [64]]);
    expect(readers).toHaveLength(4);
    const expected = claims.map(({ id, payer_reference, amount }) => [
      id,
      payer_reference,
      amount.outstanding,
    ]);
    for (const read of readers) expect(read).toEqual(expected.slice(-1));
  },
  300_000,
);
