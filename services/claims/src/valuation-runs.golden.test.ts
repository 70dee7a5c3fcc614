/**
 * The golden files of valuation runs: results over claims of the golden files of claims, in one project per file. They are never changed,
 * because every release must return the same bytes. `WRITE_GOLDEN=1` writes a file that is missing; it never replaces one.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ValuationRun } from '@carecover/contract';
import { canonicalJson, type Tenant } from '@carecover/domain';
import { connectPostgres, type Sql } from '@carecover/postgres';
import { createTestDatabase, type TestDatabase } from '@carecover/testing/servers';
import { newTenant } from '@carecover/testing/services';
import type { Fact } from './rules/facts';
import { INITIAL_STATE } from './rules/recording';
import { insertClaims } from './store/claims';
import { closePortfolioThrough } from './store/closed-through';
import { writeFacts } from './store/facts';
import { deleteRollUps } from './store/portfolio-rollups';
import type { RunRow } from './store/valuation-runs';
import { rebuildPortfolio } from './use-cases/rebuild-portfolio';
import { digestOf, resultOf } from './use-cases/value-portfolio';

const CLAIMS = join(__dirname, '../golden');
const RUNS = join(__dirname, '../golden-runs');
/** The claims of each golden file of runs. A new golden claim belongs to a new file. */
const CLAIMS_OF_RUNS: Readonly<Record<string, readonly string[]>> = {
  'results.json': [
    'adjudicated-twice-denied.json',
    'clock-set-back.json',
    'lapsed-then-cancelled.json',
    'queried-answered-settled.json',
    'settled-taken-back-reversed.json',
    'submitted.json',
  ],
  'recoveries.json': ['taken-back-before-paid.json', 'taken-back-by-the-payer.json'],
  'withdrawals.json': ['withdrawn-by-the-payer.json'],
};

type Request = Pick<RunRow, 'kind' | 'group_by' | 'development'> & {
  readonly valuation_at: string;
  readonly effective_through: string;
};
interface Golden {
  readonly request: Request;
  /** The canonical JSON of a valuation run's result, and the SHA-256 of this JSON. */
  readonly result: string;
  readonly result_sha256: string;
}

const totals = (valuation_at: string, effective_through: string, group_by: RunRow['group_by']): Request => ({
  valuation_at,
  effective_through,
  kind: 'totals',
  group_by,
  development: null,
});
const triangle = (valuation_at: string, development: NonNullable<ValuationRun['development']>): Request => ({
  valuation_at,
  effective_through: valuation_at,
  kind: 'development',
  group_by: [],
  development,
});
const measures = ['claim_count', 'billed', 'payer_liability', 'remitted', 'settled', 'outstanding'] as const;
const REQUESTS: readonly Request[] = [
  totals('2026-03-04T00:00:00.000Z', '2026-03-04T00:00:00.000Z', [
    'status',
    'practitioner_id',
    'payer_reference',
  ]),
  totals('2026-03-31T23:59:59.999Z', '2026-03-03T08:00:00.000Z', ['status', 'plan']),
  totals('2026-04-20T12:00:00.000Z', '2026-04-20T12:00:00.000Z', [
    'service_month',
    'submission_month',
    'age_band',
  ]),
  triangle('2026-05-15T00:00:00.000Z', { origin: 'service_month', step: 'month', measures: [...measures] }),
  triangle('2026-05-15T00:00:00.000Z', { origin: 'service_year', step: 'quarter', measures: [...measures] }),
];

let database: TestDatabase;
let sql: Sql;
beforeAll(async () => {
  database = await createTestDatabase({ services: ['claims'] });
  sql = connectPostgres(database.url('claims'), 2, 'golden-runs-test');
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});

/** Stores the facts of golden claims in a project. */
async function storeClaims(tenant: Tenant, files: readonly string[]): Promise<void> {
  for (const [index, file] of files.entries()) {
    const golden: { claim_id: string; facts: readonly Fact[] } = JSON.parse(
      readFileSync(join(CLAIMS, file), 'utf8'),
    );
    const { claim_id: claimId, facts } = golden;
    const recordedAt = facts[0]?.recordedAt ?? Number.NaN;
    const creation = {
      id: claimId,
      project_id: tenant,
      environment: 'sandbox',
      provider_claim_reference: claimId,
      eligibility_check_id: 'elig_1',
      session_id: claimId,
      booking_id: 'bkg_1',
      practitioner_id: `prc_${index % 2}`,
      preauthorization_id: null,
      payer_id: `payer_${index % 3}`,
      plan: 'Outpatient',
      service_starts_at: new Date(recordedAt - (index % 2) * 30 * 86_400_000),
      service_ends_at: new Date(recordedAt),
      session_recorded_by: null,
      session_recorded_at: null,
      currency: 'KES',
      billed: 150,
    } as const;
    const state = {
      ...INITIAL_STATE,
      status: 'submitted',
      submissionVersion: 1,
      lastSequence: facts.length,
      lastRecordedAt: recordedAt,
      lastEffectiveAt: recordedAt,
    } as const;
    await sql.begin((tx) =>
      writeFacts(
        tx,
        [{ claimId, facts }],
        [],
        null,
        insertClaims(tx, [{ creation: { ...creation, lines: [] }, state, eventVersion: 0 }]),
      ),
    );
  }
  await closePortfolioThrough(sql, tenant, Date.parse('2026-05-31T00:00:00Z'));
}

async function compute(tenant: Tenant, request: Request): Promise<Golden> {
  const run = {
    ...request,
    id: 'vrun_golden',
    project_id: tenant,
    valuation_at: new Date(request.valuation_at),
    effective_through: new Date(request.effective_through),
  } as unknown as RunRow;
  const result = await resultOf(sql, run);
  return { request, result: canonicalJson(result), result_sha256: digestOf(result) };
}

async function computeAll(tenant: Tenant): Promise<Golden[]> {
  const results: Golden[] = [];
  for (const request of REQUESTS) results.push(await compute(tenant, request));
  return results;
}

test('every golden claim is one of a golden file of runs', () => {
  expect(Object.values(CLAIMS_OF_RUNS).flat().toSorted()).toEqual(readdirSync(CLAIMS).sort());
});

test.each(Object.entries(CLAIMS_OF_RUNS))(
  'the runs of %s have the results that they always had, with roll-ups and without',
  async (name, files) => {
    const tenant = newTenant();
    await storeClaims(tenant, files);
    const { months } = await rebuildPortfolio(sql, tenant);
    expect(months).toBeGreaterThan(0);
    const rolledUp = await computeAll(tenant);
    const file = join(RUNS, name);
    if (process.env.WRITE_GOLDEN === '1' && !existsSync(file))
      writeFileSync(file, `${JSON.stringify(rolledUp, null, 1)}\n`);
    const golden = JSON.parse(readFileSync(file, 'utf8')) as Golden[];
    expect(golden).toHaveLength(REQUESTS.length);
    for (const { result } of golden) expect(JSON.parse(result).totals).toHaveLength(1);
    expect(rolledUp).toEqual(golden);
    await sql.begin((tx) => deleteRollUps(tx, tenant));
    expect(await computeAll(tenant)).toEqual(golden);
  },
);
