/**
 * The golden file of valuation runs: results over the claims of the other golden files, all in one project. It is never changed, because
 * every release must return the same bytes. `WRITE_GOLDEN=1` writes the file if it is missing; it never replaces it.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ValuationRun } from '@carecover/contract';
import { canonicalJson } from '@carecover/domain';
import { connectPostgres, type Sql } from '@carecover/postgres';
import { createTestDatabase, type TestDatabase } from '@carecover/testing/servers';
import { newTenant } from '@carecover/testing/services';
import type { Fact } from './rules/facts';
import { INITIAL_STATE } from './rules/recording';
import { insertClaim } from './store/claims';
import { closePortfolioThrough } from './store/closed-through';
import { writeFacts } from './store/facts';
import { deleteRollUps } from './store/portfolio-rollups';
import type { RunRow } from './store/valuation-runs';
import { rebuildPortfolio } from './use-cases/rebuild-portfolio';
import { digestOf, resultOf } from './use-cases/value-portfolio';

const CLAIMS = join(__dirname, '../golden');
const FILE = join(__dirname, '../golden-runs/results.json');
const tenant = newTenant();

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
  for (const [index, file] of readdirSync(CLAIMS).sort().entries()) {
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
      writeFacts(tx, [{ claimId, facts }], [], null, insertClaim(tx, { ...creation, lines: [] }, state, 0)),
    );
  }
  await closePortfolioThrough(sql, tenant, Date.parse('2026-05-31T00:00:00Z'));
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});

async function compute(request: Request): Promise<Golden> {
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

async function computeAll(): Promise<Golden[]> {
  const results: Golden[] = [];
  for (const request of REQUESTS) results.push(await compute(request));
  return results;
}

test('runs have the results that they always had, with roll-ups and without', async () => {
  const { months } = await rebuildPortfolio(sql, tenant);
  expect(months).toBeGreaterThan(1);
  const rolledUp = await computeAll();
  if (process.env.WRITE_GOLDEN === '1' && !existsSync(FILE)) {
    mkdirSync(dirname(FILE), { recursive: true });
    writeFileSync(FILE, `${JSON.stringify(rolledUp, null, 1)}\n`);
  }
  const golden = JSON.parse(readFileSync(FILE, 'utf8')) as Golden[];
  expect(golden).toHaveLength(REQUESTS.length);
  for (const { result } of golden) expect(JSON.parse(result).totals).toHaveLength(1);
  expect(rolledUp).toEqual(golden);
  await sql.begin((tx) => deleteRollUps(tx, tenant));
  expect(await computeAll()).toEqual(golden);
});
