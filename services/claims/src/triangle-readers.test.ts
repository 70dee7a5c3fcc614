/** CSV files of triangles that chainladder reads as they are meant, and the runs for which there is no such file. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PERIOD_MONTHS, type ValuationRun } from '@carecover/contract';
import { ApiError } from '@carecover/domain';
import { fc } from '@carecover/testing';
import { type Triangle, triangleCsv } from './rules/triangle-csv';
import { type MonthSums, triangleResult } from './rules/valuation-run';
import { runPython } from './testing/python';

type Development = NonNullable<ValuationRun['development']>;

/** What `read_triangles.py` prints for one file. A zero is null. */
interface Read {
  readonly grain: string;
  readonly origins: readonly string[];
  readonly valuation: string;
  readonly cells: readonly (readonly (number | null)[])[];
}

const RUNS = 150;
const FIRST_YEAR = 2024;
const dateIn = (month: number, day: number) =>
  new Date(Date.UTC(FIRST_YEAR, month, day)).toISOString().slice(0, 10);

/** A payment for a session: months are counted from January of the first year. */
interface Payment {
  readonly currency: string;
  readonly service: number;
  readonly recorded: number;
  readonly settled: bigint;
}

interface Case {
  readonly origin: Development['origin'];
  readonly step: Development['step'];
  readonly payments: readonly Payment[];
  /** The UTC day of the cutoff, `YYYY-MM-DD`. */
  readonly cutoff: string;
}

function triangleOf({ origin, step, payments, cutoff }: Case): Triangle {
  const zero = { claim_count: 0n, billed: 0n, payer_liability: 0n, patient_responsibility: 0n };
  const months = payments
    .filter(({ recorded }) => dateIn(recorded, 1) <= cutoff)
    .map(
      ({ currency, service, recorded, settled }): MonthSums => ({
        currency,
        serviceMonth: dateIn(service, 1),
        recordedMonth: dateIn(recorded, 1),
        sums: { ...zero, claim_count: 1n, adjustment: 0n, remitted: 0n, settled, outstanding: 0n },
      }),
    );
  const { triangle } = triangleResult(months, {
    valuationAt: Date.parse(`${cutoff}T12:00:00.000Z`),
    development: { origin, step, measures: ['settled'] },
  });
  if (triangle === null) throw new Error('the run has no triangle');
  return triangle;
}

const cases: fc.Arbitrary<Case> = fc
  .record({
    periods: fc.constantFrom(
      ...([
        ['service_month', 'month'],
        ['service_quarter', 'month'],
        ['service_quarter', 'quarter'],
        ['service_year', 'month'],
        ['service_year', 'quarter'],
        ['service_year', 'year'],
      ] as const),
    ),
    payments: fc.array(
      fc.record({
        currency: fc.constantFrom('KES', 'UGX'),
        service: fc.nat(30),
        lag: fc.nat(12),
        settled: fc.bigInt(0n, 1_000n),
      }),
      { minLength: 2, maxLength: 12 },
    ),
    months: fc.nat(40),
    // A cutoff at the end of a step, or some days before the end of a month.
    daysBefore: fc.constantFrom(0, 0, 0, 1, 20),
  })
  .map(({ periods: [origin, step], payments, months, daysBefore }) => {
    const length = daysBefore === 0 ? PERIOD_MONTHS[step] : 1;
    return {
      origin,
      step,
      payments: payments.map(({ lag, ...payment }) => ({ ...payment, recorded: payment.service + lag })),
      // The day 0 of a month is the last day of the month before.
      cutoff: dateIn((Math.floor(months / length) + 1) * length, -daysBefore),
    };
  });

/** Returns the CSV, or null if the run has none. @throws Error if the file is rejected for another reason */
function csvOf(triangle: Triangle, step: Development['step']): string | null {
  try {
    return triangleCsv(triangle, step);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'invalid_state') return null;
    throw error;
  }
}

const LETTER = {
  month: 'M',
  quarter: 'Q',
  year: 'Y',
  service_month: 'M',
  service_quarter: 'Q',
  service_year: 'Y',
};

/** Returns what a reader should understand. The reader adds a row without values for each origin after the last one with claims. */
function expectedOf(
  { origin, step }: Case,
  { origins, valuation_dates, currencies }: Triangle,
  read: Read,
): Read {
  const rows = currencies.find(({ currency }) => currency === 'KES')?.measures[0]?.rows ?? [];
  return {
    grain: LETTER[origin] + LETTER[step],
    origins: [...origins, ...read.origins.slice(origins.length)],
    valuation: valuation_dates.at(-1) ?? '',
    cells: read.origins.map((_, row) => {
      const ages = (rows[row] ?? []).filter((cell) => cell !== null).map((cell) => cell || null);
      return [...ages, ...valuation_dates.map(() => null)].slice(0, valuation_dates.length);
    }),
  };
}

const KES = { currency: 'KES' };
const PAYMENTS = [0, 1, 3, 4, 6, 9, 12].map((service) => ({
  ...KES,
  service,
  recorded: service,
  settled: 70n,
}));
const QUARTERS = { origin: 'service_quarter', step: 'quarter', payments: PAYMENTS } as const;
const MONTHS = { origin: 'service_month', step: 'month' } as const;
const FIRST_MONTH = [{ ...KES, service: 10, recorded: 10, settled: 70n }];

test.each<[string, Case, RegExp | null]>([
  ['quarters at the end of a quarter', { ...QUARTERS, cutoff: '2025-03-31' }, null],
  [
    'quarters at 15 February',
    { ...QUARTERS, cutoff: '2025-02-15' },
    /^The cutoff's day 2025-02-15 is not the last day of a quarter in UTC\. Create a run with such a cutoff, for example 2024-12-31T23:59:59\.999Z\.$/,
  ],
  [
    'months before the end of a month',
    { ...MONTHS, payments: PAYMENTS, cutoff: '2025-02-27' },
    /last day of a month/,
  ],
  ['months on 29 February', { ...MONTHS, payments: PAYMENTS, cutoff: '2024-02-29' }, null],
  [
    'months on 28 February of a leap year',
    { ...MONTHS, payments: PAYMENTS, cutoff: '2024-02-28' },
    /last day of a month/,
  ],
  [
    'a first month',
    { ...MONTHS, payments: FIRST_MONTH, cutoff: '2024-11-30' },
    /^The triangle has 1 origin\. .* at least two/,
  ],
  [
    'a first month of which a part has passed',
    { ...MONTHS, payments: FIRST_MONTH, cutoff: '2024-11-27' },
    /1 origin/,
  ],
  ['no claims', { ...MONTHS, payments: FIRST_MONTH, cutoff: '2024-10-31' }, /0 origins/],
])('the CSV of %s', (_name, each, error) => {
  const write = () => triangleCsv(triangleOf(each), each.step);
  if (error === null) expect(write()).toMatch(/^origin,development,currency,settled\r\n/);
  else expect(write).toThrow(error);
});

test('chainladder reads every CSV with the origins, steps, dates and sums of its triangle', async () => {
  const drawn = fc.sample(cases, RUNS).map((each) => ({ each, triangle: triangleOf(each) }));
  const files = drawn.flatMap(({ each, triangle }) => {
    const csv = csvOf(triangle, each.step);
    return csv?.includes(',KES,') ? [{ each, triangle, csv }] : [];
  });
  expect(files.length).toBeGreaterThan(RUNS / 15);
  const folder = await mkdtemp(join(tmpdir(), 'carecover-triangles-'));
  try {
    const paths = files.map((_, index) => join(folder, `${index}.csv`));
    for (const [index, { csv }] of files.entries()) await writeFile(paths[index] ?? '', csv);
    const read = await runPython<Read[]>('triangles of several periods', 'read_triangles.py', paths);
    if (read === null) return;
    for (const [index, { each, triangle }] of files.entries()) {
      const understood = read[index];
      if (understood === undefined) throw new Error('chainladder read fewer files than there are');
      expect({ each, ...understood }).toEqual({ each, ...expectedOf(each, triangle, understood) });
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}, 300_000);
