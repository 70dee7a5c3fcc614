/**
 * Triangles read by chainladder, an actuarial library for Python: from the CSV of Carecover's triangle it computes the same ultimates as
 * from a triangle of single valuations. The library is installed into a separate virtual environment; without Python that part is skipped.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ValuationRun } from '@carecover/contract';
import { eventually } from '@carecover/testing/servers';
import type { Fact } from './rules/facts';
import { deltasFrom } from './rules/portfolio';
import { INITIAL_STATE } from './rules/recording';
import { type Triangle, triangleCsv } from './rules/triangle-csv';
import { insertClaims } from './store/claims';
import { writeFacts } from './store/facts';
import { appendDeltas } from './store/portfolio';
import { creation, decide, History, remit, settle } from './testing/history';
import { Provider } from './testing/provider';
import { runPython } from './testing/python';
import { startTestClaims, type TestClaims } from './testing/test-claims';
import { realTimeTemporal } from './testing/test-temporal';

const MONTHS = 12;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MEASURES = ['claim_count', 'billed', 'payer_liability', 'settled', 'outstanding'] as const;

/** What `ultimates.py` prints for one file. A zero is null, because chainladder shows it as missing. */
interface Ultimates {
  readonly grain: string;
  readonly measures: Readonly<
    Record<
      'payer_liability' | 'settled',
      {
        readonly values: readonly (readonly (number | null)[])[];
        readonly chainladder: readonly (readonly number[])[];
        readonly mack: readonly (readonly number[])[];
        readonly standard_error: number;
      }
    >
  >;
}

let claims: TestClaims;
beforeAll(async () => {
  claims = await startTestClaims(realTimeTemporal);
}, 120_000);
afterAll(() => claims.stop());

const start = (month: number) => Date.UTC(2025, month);

/** Returns the facts of the claims of one service month. Some claims are settled only months later, so that the triangle has zeros. */
function historiesOf(month: number): History[] {
  return Array.from({ length: 6 }, (_, number) => {
    const at = start(month) + (number + 1) * 3 * DAY_MS;
    const payer = 60 + ((month * 7 + number * 13) % 80);
    const history = new History().commit(at, ...creation);
    const decidedAt = at + (10 + number * 4) * DAY_MS;
    history.commit(decidedAt, decide(payer, decidedAt));
    const remittedAt = decidedAt + 20 * DAY_MS;
    history.commit(remittedAt, remit(payer, remittedAt - DAY_MS));
    for (let part = 1; part <= 3; part += 1) {
      const settledAt = remittedAt + part * 35 * DAY_MS;
      history.commit(settledAt, settle(Math.floor(payer / 4), settledAt - 2 * DAY_MS));
    }
    return history;
  });
}

async function insert(provider: Provider, claimId: string, month: number, facts: readonly Fact[]) {
  const service = new Date(start(month) + DAY_MS);
  const last = facts.at(-1);
  const state = {
    ...INITIAL_STATE,
    status: 'submitted',
    submissionVersion: 1,
    lastSequence: facts.length,
    lastRecordedAt: last?.recordedAt ?? 0,
    lastEffectiveAt: last?.effectiveAt ?? 0,
  } as const;
  const row = {
    id: claimId,
    project_id: provider.tenant,
    environment: 'sandbox',
    provider_claim_reference: claimId,
    eligibility_check_id: 'elig_1',
    session_id: claimId,
    booking_id: 'bkg_1',
    practitioner_id: 'prc_1',
    preauthorization_id: null,
    payer_id: 'payer_1',
    plan: 'Outpatient',
    service_starts_at: service,
    service_ends_at: service,
    session_recorded_by: null,
    session_recorded_at: null,
    currency: 'KES',
    billed: 150,
  } as const;
  const commits = [...new Set(facts.map((fact) => fact.recordedAt))].map((recordedAt) => {
    const known = facts.filter((fact) => fact.recordedAt <= recordedAt);
    const first = known.findIndex((fact) => fact.recordedAt === recordedAt);
    return { claimId, recordedAt, deltas: deltasFrom(known, first) };
  });
  await claims.sql.begin((tx) =>
    writeFacts(
      tx,
      [{ claimId, facts }],
      [],
      appendDeltas(tx, provider.tenant, commits),
      insertClaims(tx, [{ creation: { ...row, lines: [] }, state, eventVersion: 0 }]),
    ),
  );
}

/** Computes the triangle from the valuations of all claims at each date, instead of from the sums of the portfolio. */
async function triangleOfValuations(
  provider: Provider,
  months: ReadonlyMap<string, number>,
  { origins, valuation_dates, currencies }: Triangle,
  valuationAt: number,
): Promise<Triangle> {
  const values = new Map(
    MEASURES.map((measure) => [measure, origins.map(() => valuation_dates.map(() => 0))]),
  );
  const add = (measure: (typeof MEASURES)[number], row: number, column: number, value: number) => {
    const cells = values.get(measure)?.[row];
    if (cells !== undefined) cells[column] = (cells[column] ?? 0) + value;
  };
  for (const [column, date] of valuation_dates.entries()) {
    const cutoff = Math.min(Date.parse(`${date}T23:59:59.999Z`), valuationAt);
    for (const [id, row] of months) {
      const { status, body } = await provider.value(id, cutoff);
      if (status !== 200) continue;
      add('claim_count', row, column, 1);
      for (const measure of MEASURES)
        if (measure !== 'claim_count') add(measure, row, column, body.amount[measure] ?? 0);
    }
  }
  return {
    origins,
    valuation_dates,
    currencies: currencies.map(({ currency }) => ({
      currency,
      measures: MEASURES.map((measure) => ({
        measure,
        rows: (values.get(measure) ?? []).map((cells, row) =>
          cells.map((value, column) =>
            (valuation_dates[column] ?? '') < (origins[row] ?? '') ? null : value,
          ),
        ),
      })),
    })),
  };
}

test('the ultimates of chainladder from the CSV of a run equal those from the valuations of all claims', async () => {
  const provider = new Provider(claims);
  const months = new Map<string, number>();
  for (let month = 0; month < MONTHS; month += 1)
    for (const [number, { facts }] of historiesOf(month).entries()) {
      const id = `clm_${month}_${number}_${provider.tenant}`;
      months.set(id, month);
      await insert(provider, id, month, facts);
    }
  // The cutoff is the end of the last month where the clocks are three hours ahead of UTC.
  const valuationAt = start(MONTHS) - 3 * HOUR_MS;
  const { body } = await claims.ask(provider.tenant, 'createValuationRun', {
    body: {
      valuation_at: new Date(valuationAt).toISOString(),
      kind: 'development',
      development: { origin: 'service_month', step: 'month', measures: MEASURES },
    },
  });
  const { triangle } = await eventually('the run is ready', async () => {
    const read = await claims.ask(provider.tenant, 'getValuationRun', {
      params: { valuation_run_id: body.id },
    });
    return read.body.status === 'ready' ? (read.body as ValuationRun) : undefined;
  });
  if (triangle === null) throw new Error('the run has no triangle');
  const expected = await triangleOfValuations(provider, months, triangle, valuationAt);
  const csv = triangleCsv(triangle, 'month');
  expect(csv).toBe(triangleCsv(expected, 'month'));
  expect(csv).toMatch(
    /^origin,development,currency,claim_count,billed,payer_liability,settled,outstanding\r\n2025-01-01,2025-01-31,KES,/,
  );
  expect(csv).toContain('2025-12-01,2025-12-31,KES,6,900,290,0,290\r\n');

  const folder = await mkdtemp(join(tmpdir(), 'carecover-triangle-'));
  const files = [join(folder, 'run.csv'), join(folder, 'valuations.csv')] as const;
  await writeFile(files[0], csv);
  await writeFile(files[1], triangleCsv(expected, 'month'));
  const read = await runPython<[Ultimates, Ultimates]>('the ultimates of chainladder', 'ultimates.py', [
    'payer_liability,settled',
    ...files,
  ]);
  await rm(folder, { recursive: true });
  if (read === null) return;
  const [ours, theirs] = read;
  expect(ours).toEqual(theirs);
  expect(ours.grain).toBe('MM');
  const values = triangle.currencies[0]?.measures.find(({ measure }) => measure === 'settled')?.rows ?? [];
  // In chainladder's triangle each column is an age, so every row starts in the first column. A zero is shown as null.
  expect(ours.measures.settled.values).toEqual(
    values.map((row) => {
      const ages = row.filter((value) => value !== null).map((value) => (value === 0 ? null : value));
      return [...ages, ...Array.from({ length: MONTHS - ages.length }, () => null)];
    }),
  );
  for (const { chainladder, mack, standard_error } of Object.values(ours.measures)) {
    expect(chainladder).toHaveLength(MONTHS);
    expect(mack).toEqual(chainladder);
    expect(standard_error).toBeGreaterThan(0);
  }
}, 600_000);
