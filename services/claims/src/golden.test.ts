/**
 * The golden files: facts of claims and, for each cutoff, the bytes of their valuation. They are never changed, because every release must
 * return the same bytes. `WRITE_GOLDEN=1` writes missing files; it never replaces one.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Tenant } from '@carecover/domain';
import { connectPostgres, type Sql } from '@carecover/postgres';
import { createTestDatabase, type TestDatabase } from '@carecover/testing/servers';
import { newTenant } from '@carecover/testing/services';
import type { Fact } from './rules/facts';
import { INITIAL_STATE } from './rules/recording';
import { valueAt } from './rules/valuation';
import { insertClaims } from './store/claims';
import { valuedFactsKnownAt, writeFacts } from './store/facts';
import {
  creation,
  decide,
  end,
  evidence,
  History,
  lapse,
  query,
  reconcile,
  recover,
  remit,
  settle,
  settleRecovery,
  withdraw,
} from './testing/history';

const FOLDER = join(__dirname, '../golden');

interface Golden {
  readonly claim_id: string;
  readonly facts: readonly Fact[];
  /** The claim's valuation at each cutoff (epoch milliseconds), as JSON text; null if the cutoff is before the claim's first fact. */
  readonly answers: Readonly<Record<string, string | null>>;
}

const T = Date.parse('2026-03-02T08:00:00.000Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const HISTORIES: Readonly<Record<string, History>> = {
  submitted: new History().commit(T, ...creation),
  'queried-answered-settled': new History()
    .commit(T, ...creation)
    .commit(T + DAY, query())
    .commit(T + DAY + HOUR, ...evidence())
    .commit(T + 2 * DAY, decide(100, T + 2 * DAY - 25))
    .commit(T + 9 * DAY, remit(100, T + 2 * DAY + HOUR))
    .commit(T + 10 * DAY, settle(60, T + 3 * DAY))
    .commit(T + 11 * DAY, settle(40, T + 4 * DAY), reconcile(T + 11 * DAY - 7)),
  'lapsed-then-cancelled': new History()
    .commit(T, ...creation)
    .commit(T + DAY, query())
    .commit(T + 3 * DAY + 12, lapse(T + 3 * DAY))
    .commit(T + 4 * DAY, end('cancel')),
  'adjudicated-twice-denied': new History()
    .commit(T, ...creation)
    .commit(T + DAY, decide(150, T + DAY))
    .commit(T + DAY + HOUR, decide(0, T + DAY + HOUR - 3)),
  'settled-taken-back-reversed': new History()
    .commit(T, ...creation)
    .commit(T + DAY, decide(150, T + DAY - 1))
    .commit(T + 2 * DAY, remit(150, T + DAY + 1))
    .commit(T + 3 * DAY, settle(150, T + DAY + 2), reconcile(T + 3 * DAY - 5))
    .commit(T + 4 * DAY, settle(-150, T + 4 * DAY))
    .commit(T + 5 * DAY, settle(150, T + DAY + 3), reconcile(T + 5 * DAY - 5))
    .commit(T + 6 * DAY, end('reverse'))
    .commit(T + 7 * DAY, settle(-10, T + 7 * DAY)),
  'taken-back-by-the-payer': new History()
    .commit(T, ...creation)
    .commit(T + DAY, decide(100, T + DAY - 1))
    .commit(T + 2 * DAY, remit(100, T + DAY + 1))
    .commit(T + 3 * DAY, settle(100, T + DAY + 2), reconcile(T + 3 * DAY - 5))
    .commit(T + 6 * DAY, recover(40, T + 5 * DAY))
    .commit(T + 8 * DAY, settleRecovery(40, T + 7 * DAY))
    .commit(T + 9 * DAY, recover(60, T + 9 * DAY, 'rcv_2'), settleRecovery(60, T + 9 * DAY, 'stl_3'))
    .commit(T + 10 * DAY, remit(100, T + 10 * DAY - HOUR))
    .commit(T + 11 * DAY, settle(100, T + 11 * DAY - HOUR), reconcile(T + 11 * DAY)),
  'taken-back-before-paid': new History()
    .commit(T, ...creation)
    .commit(T + DAY, decide(150, T + DAY))
    .commit(T + 3 * DAY, remit(50, T + 2 * DAY))
    .commit(T + 4 * DAY, remit(100, T + 3 * DAY))
    .commit(T + 5 * DAY, recover(120, T + DAY + HOUR))
    .commit(T + 6 * DAY, settle(50, T + 5 * DAY))
    .commit(T + 7 * DAY, settle(70, T + 6 * DAY))
    .commit(T + 8 * DAY, settleRecovery(120, T + 4 * DAY))
    .commit(T + 9 * DAY, end('reverse')),
  'withdrawn-by-the-payer': new History()
    .commit(T, ...creation)
    .commit(T + DAY, decide(150, T + DAY))
    .commit(T + 2 * DAY, remit(100, T + DAY + 1))
    .commit(T + 3 * DAY, settle(100, T + 2 * DAY))
    .commit(T + 4 * DAY, recover(30, T + 3 * DAY), remit(50, T + 3 * DAY))
    .commit(T + 5 * DAY, withdraw('allocation', 50), withdraw('recovery', 30))
    .commit(T + 6 * DAY, remit(50, T + 3 * DAY))
    .commit(T + 7 * DAY, settle(50, T + 6 * DAY), reconcile(T + 7 * DAY)),
  'clock-set-back': new History()
    .commit(T, ...creation)
    .commit(T - DAY, query())
    .commit(T - 2 * DAY, ...evidence())
    .commit(T - DAY, decide(20, T + 1))
    .commit(T - DAY, remit(20, T + 5_000)),
};

/** Returns the effective_at and recorded_at of every fact, and the instants one millisecond before and after each of these times. */
function cutoffs(facts: readonly Fact[]): number[] {
  const moments = facts.flatMap((fact) => [fact.effectiveAt, fact.recordedAt]);
  const around = moments.flatMap((moment) => [moment - 1, moment, moment + 1]);
  return [...new Set(around)].sort((a, b) => a - b);
}

function answer(claimId: string, facts: readonly Fact[], cutoff: number): string | null {
  const value = valueAt(claimId, facts, cutoff);
  return value === null ? null : JSON.stringify(value);
}

if (process.env.WRITE_GOLDEN === '1') {
  for (const [name, { facts }] of Object.entries(HISTORIES)) {
    const path = join(FOLDER, `${name}.json`);
    if (existsSync(path)) continue;
    const claim_id = `clm_golden_${name.replaceAll('-', '_')}`;
    const answers = Object.fromEntries(
      cutoffs(facts).map((cutoff) => [cutoff, answer(claim_id, facts, cutoff)]),
    );
    const golden: Golden = { claim_id, facts, answers };
    writeFileSync(path, `${JSON.stringify(golden, null, 1)}\n`);
  }
}

const files = readdirSync(FOLDER);

test('there are golden files', () => {
  expect(files.length).toBeGreaterThanOrEqual(Object.keys(HISTORIES).length);
});

test.each(files)('%s is answered byte for byte as it was', (file) => {
  const golden = JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as Golden;
  for (const [cutoff, expected] of Object.entries(golden.answers)) {
    expect(answer(golden.claim_id, golden.facts, Number(cutoff))).toBe(expected);
  }
});

describe('from their rows', () => {
  let database: TestDatabase;
  let sql: Sql;
  beforeAll(async () => {
    database = await createTestDatabase({ services: ['claims'] });
    sql = connectPostgres(database.url('claims'), 1, 'golden-test');
  });
  afterAll(async () => {
    await sql.end();
    await database.drop();
  });

  /** Inserts the row of a claim and the given facts for a new tenant. Returns the tenant. */
  async function insert(claimId: string, facts: readonly Fact[]): Promise<Tenant> {
    const tenant = newTenant();
    const creation = {
      id: claimId,
      project_id: tenant,
      environment: 'sandbox',
      provider_claim_reference: claimId,
      eligibility_check_id: 'elig_1',
      session_id: claimId,
      booking_id: 'bkg_1',
      practitioner_id: 'prc_1',
      preauthorization_id: null,
      payer_id: 'payer_1',
      plan: 'Outpatient',
      service_starts_at: new Date(T),
      service_ends_at: new Date(T),
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
      lastRecordedAt: T,
      lastEffectiveAt: T,
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
    return tenant;
  }

  test.each(files)('%s is answered byte for byte as it was', async (file) => {
    const golden = JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as Golden;
    const tenant = await insert(golden.claim_id, golden.facts);
    for (const [cutoff, expected] of Object.entries(golden.answers)) {
      const facts = await valuedFactsKnownAt(sql, tenant, golden.claim_id, Number(cutoff));
      const value = valueAt(golden.claim_id, facts, Number(cutoff));
      expect(value === null ? null : JSON.stringify(value)).toBe(expected);
    }
  });
});
