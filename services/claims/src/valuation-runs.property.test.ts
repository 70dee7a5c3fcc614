/**
 * Valuation runs over HTTP equal their definition: every group and every cell is the sum of the single valuations of its claims at the
 * cutoffs, to the minor unit, for random histories and random requests, with roll-ups and without.
 */
import {
  type ClaimValuation,
  developmentMeasures,
  type ValuationRun,
  type ValuationRunClaim,
  valuationDimensions,
} from '@carecover/contract';
import { newId } from '@carecover/domain';
import { fc } from '@carecover/testing';
import { eventually, testSize } from '@carecover/testing/servers';
import type { Fact } from './rules/facts';
import { factsKnownAt } from './store/facts';
import { deleteRollUps } from './store/portfolio-rollups';
import { findRun } from './store/valuation-runs';
import { knownInEffect, sumsOfPosition } from './testing/portfolio-sums';
import { adjudication, Provider } from './testing/provider';
import { startTestClaims, type TestClaims } from './testing/test-claims';
import { realTimeTemporal } from './testing/test-temporal';
import { rebuildPortfolio } from './use-cases/rebuild-portfolio';
import { digestOf, resultOf } from './use-cases/value-portfolio';
import { verifyValuationRun } from './use-cases/verify-valuation-run';

const CLAIMS = testSize({ ci: 30, soak: 200 });
const RUNS = testSize({ ci: 20, soak: 600 });
const AT_ONCE = 8;
const DAY = 86_400_000;

let claims: TestClaims;
beforeAll(async () => {
  claims = await startTestClaims(realTimeTemporal);
}, 120_000);
afterAll(() => claims.stop());

async function databaseTime(): Promise<number> {
  const [row] = await claims.sql<{ now: Date }[]>`select platform.now() as now`;
  return row?.now.getTime() ?? Number.NaN;
}

interface Subject {
  readonly id: string;
  readonly currency: string;
  readonly practitioner_id: string;
  readonly payer_reference: string;
  readonly plan: string;
  readonly serviceStartsAt: string;
  readonly submittedAt: number;
}

const coverage = fc.record({
  practitionerId: fc.constantFrom('prc_amina', 'prc_ben', 'prc_chao'),
  currency: fc.constantFrom('KES', 'KES', 'USD'),
  payerId: fc.constantFrom('payer_1', 'payer_2'),
  plan: fc.constantFrom('Inpatient', 'Outpatient'),
  /** The number of days from the session to the submission of its claim. */
  serviceDaysAgo: fc.integer({ min: 0, max: 70 }),
});
/**
 * A step of a scenario: a command on one of the claims that exist by then, some days after the previous step. Its effective_at can be in
 * the past.
 */
const step = fc.record({
  claim: fc.nat(1_000),
  kind: fc.constantFrom(
    ...(['adjudicate', 'adjudicate', 'remit', 'recover', 'settle', 'settle', 'settle_recovery'] as const),
    ...(['reverse', 'cancel'] as const),
  ),
  payer: fc.constantFrom(0, 40_000, 100_000),
  days: fc.constantFrom(0, 0, 1, 5, 12),
  effectiveDaysAgo: fc.constantFrom(0, 0, 1, 20, 50),
});
const scenario = fc.array(fc.tuple(coverage, fc.array(step, { minLength: 1, maxLength: 4 })), {
  minLength: CLAIMS,
  maxLength: CLAIMS,
});

const dimension = fc.constantFrom(...valuationDimensions);
const measure = fc.constantFrom(...developmentMeasures);
const periods = fc.constantFrom(
  ['service_month', 'month'],
  ['service_quarter', 'month'],
  ['service_quarter', 'quarter'],
  ['service_year', 'month'],
  ['service_year', 'year'],
);
const request = fc.record({
  isTriangle: fc.constantFrom(false, false, true),
  group_by: fc.uniqueArray(dimension, { maxLength: 4 }),
  measures: fc.uniqueArray(measure, { minLength: 1 }),
  periods,
  /** Two random numbers. Each selects a cutoff from a list of the instants that occur in the scenario. */
  moments: fc.tuple(fc.nat(100_000), fc.nat(100_000)),
  besideMs: fc.constantFrom(-1, 0, 0, 1),
  hasTwoInstants: fc.boolean(),
});

async function writeScenario(provider: Provider): Promise<Subject[]> {
  const subjects: Subject[] = [];
  const liabilities = new Map<string, number>();
  const [remitted, settled] = [new Map<string, number>(), new Map<string, number>()];
  const left = (amounts: ReadonlyMap<string, number>, id: string) => amounts.get(id) ?? 0;
  let days = 0;
  for (const [{ practitionerId, currency, payerId, plan, serviceDaysAgo }, steps] of fc.sample(
    scenario,
    1,
  )[0] ?? []) {
    const eligibility_check_id = newId('elig_');
    claims.others.coverages.set(eligibility_check_id, { currency, payerId, plan });
    const startsAt = new Date((await databaseTime()) - serviceDaysAgo * DAY).toISOString();
    const { sessionId } = claims.others.deliveredSession({ practitionerId, startsAt });
    const { id, submitted_at } = await provider.submitted({ eligibility_check_id, session_id: sessionId });
    subjects.push({
      id,
      currency,
      practitioner_id: practitionerId,
      payer_reference: `contract/${payerId}`,
      plan,
      serviceStartsAt: startsAt,
      submittedAt: Date.parse(submitted_at ?? ''),
    });
    for (const { claim, kind, payer, days: pause, effectiveDaysAgo } of steps) {
      days += pause;
      await claims.database.setClockOffset(days * DAY);
      const subject = subjects[claim % subjects.length];
      if (subject === undefined) continue;
      const at = new Date((await databaseTime()) - effectiveDaysAgo * DAY).toISOString();
      const isPayment = kind !== 'adjudicate' && kind !== 'reverse' && kind !== 'cancel';
      const liability = liabilities.get(subject.id) ?? 0;
      if (kind === 'adjudicate' || (isPayment && liability === 0)) {
        // Payments allows no settlement above the liability, so a settled claim is never adjudicated with a liability of 0. If the claim's
        // state does not allow the adjudication, the API rejects it, and the test continues.
        const next = settled.has(subject.id) ? Math.max(payer, 40_000) : payer;
        const { status } = await provider.ask('adjudicateClaim', subject.id, adjudication(next, 0));
        if (status === 200) liabilities.set(subject.id, next);
      } else if (kind === 'recover' && left(remitted, subject.id) >= 400) {
        remitted.set(subject.id, left(remitted, subject.id) - 400);
        await provider.recover(subject.id, 400, { receivedAt: at });
      } else if (kind === 'remit' || kind === 'recover') {
        remitted.set(subject.id, left(remitted, subject.id) + 1_000);
        await provider.remit(subject.id, 1_000, { receivedAt: at });
      } else if (kind === 'settle_recovery' && left(settled, subject.id) >= 300) {
        settled.set(subject.id, left(settled, subject.id) - 300);
        await provider.settle(subject.id, -300, { observedAt: at, isReversal: false });
      } else if (kind === 'settle' || kind === 'settle_recovery') {
        settled.set(subject.id, left(settled, subject.id) + 700);
        await provider.settle(subject.id, 700, { observedAt: at });
      } else
        await provider.ask(kind === 'reverse' ? 'reverseClaim' : 'cancelClaim', subject.id, {
          reason_code: 'entered_in_error',
        });
    }
  }
  return subjects;
}

const bandOf = (days: number) =>
  days <= 30 ? 'days_0_30' : days <= 60 ? 'days_31_60' : days <= 90 ? 'days_61_90' : 'days_over_90';

/** The dimensions of a claim and what it adds to the sums at two cutoffs; null if it is not counted. */
function countedAt(subject: Subject, facts: readonly Fact[], knownAt: number, effectiveThrough: number) {
  const position = knownInEffect(facts, { knownAt, effectiveThrough });
  if (position === null) return null;
  const { sums, status } = sumsOfPosition(position);
  return {
    subject,
    position,
    dimensions: {
      status,
      practitioner_id: subject.practitioner_id,
      payer_reference: subject.payer_reference,
      plan: subject.plan,
      service_month: subject.serviceStartsAt.slice(0, 7),
      submission_month: new Date(subject.submittedAt).toISOString().slice(0, 7),
      age_band: bandOf(Math.floor((effectiveThrough - subject.submittedAt) / DAY)),
    },
    sums: {
      claim_count: 1,
      billed: sums.billed,
      payer_liability: sums.payerLiability,
      patient_responsibility: sums.patientResponsibility,
      adjustment: sums.adjustment,
      remitted: sums.remitted,
      settled: sums.settled,
      outstanding: sums.outstanding,
    },
  };
}
type Counted = NonNullable<ReturnType<typeof countedAt>>;
type Measure = keyof Counted['sums'];

const sum = (counted: readonly Counted[], name: Measure) =>
  counted.reduce((total, { sums }) => total + sums[name], 0);

function amountsOf(counted: readonly Counted[]) {
  const of = (name: Measure) => sum(counted, name);
  return {
    claim_count: of('claim_count'),
    amount: {
      billed: of('billed'),
      payer_liability: of('payer_liability'),
      patient_responsibility: of('patient_responsibility'),
      adjustment: of('adjustment'),
      remitted: of('remitted'),
      settled: of('settled'),
      outstanding: of('outstanding'),
    },
  };
}

/** Checks the groups of a run: each counted claim is in one group, and the sums of each group are right. */
function checkGroups(run: ValuationRun, counted: readonly Counted[]): void {
  const keyOf = (currency: string, dimensions: object) =>
    JSON.stringify([currency, ...run.group_by.map((name) => Reflect.get(dimensions, name))]);
  const expected = new Map<string, Counted[]>();
  for (const each of counted) {
    const key = keyOf(each.subject.currency, each.dimensions);
    expected.set(key, [...(expected.get(key) ?? []), each]);
  }
  const found = run.groups.map((group) => [
    keyOf(group.currency, group),
    { claim_count: group.claim_count, amount: group.amount },
  ]);
  expect(Object.fromEntries(found)).toEqual(
    Object.fromEntries([...expected].map(([key, members]) => [key, amountsOf(members)])),
  );
  expect(run.groups).toHaveLength(expected.size);
}

const LENGTH: Record<string, number> = { month: 1, quarter: 3, year: 12 };

/** Returns the first day of the period of `months` months that contains a date. */
function startOfPeriod(date: string, months: number): string {
  const year = Number(date.slice(0, 4));
  const month = Math.floor((Number(date.slice(5, 7)) - 1) / months) * months;
  return new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10);
}

/** Checks every cell of a triangle against the claims at the cell's date. */
function checkTriangle(
  run: ValuationRun,
  countAt: (knownAt: number, effectiveThrough: number) => Counted[],
): number {
  const { triangle, development } = run;
  if (triangle === null || development === null) throw new Error('the run has no triangle');
  const originMonths = LENGTH[development.origin.replace('service_', '')] ?? 0;
  const last = triangle.valuation_dates.length - 1;
  let cells = 0;
  for (const [column, date] of triangle.valuation_dates.entries()) {
    const knownAt = column === last ? Date.parse(run.valuation_at) : Date.parse(date) + DAY - 1;
    const counted = countAt(knownAt, Math.min(knownAt, Date.parse(run.effective_through)));
    for (const { currency, measures } of triangle.currencies) {
      for (const { measure, rows } of measures) {
        for (const [row, origin] of triangle.origins.entries()) {
          const members = counted.filter(
            ({ subject }) =>
              subject.currency === currency &&
              startOfPeriod(subject.serviceStartsAt.slice(0, 10), originMonths) === origin,
          );
          const expected = date < origin ? null : sum(members, measure as Measure);
          expect([date, origin, measure, rows[row]?.[column]]).toEqual([date, origin, measure, expected]);
          cells += 1;
        }
      }
    }
    for (const { subject } of counted)
      expect(triangle.origins).toContain(startOfPeriod(subject.serviceStartsAt.slice(0, 10), originMonths));
  }
  return cells;
}

async function ended(provider: Provider, id: string): Promise<ValuationRun> {
  return eventually('the run ends', async () => {
    const { body }: { body: ValuationRun } = await provider.claims.ask(provider.tenant, 'getValuationRun', {
      params: { valuation_run_id: id },
    });
    return body.status === 'pending' ? undefined : body;
  });
}

test(
  'every group and cell equals the sums of the single valuations of its claims, with roll-ups and without',
  async () => {
    const provider = new Provider(claims);
    const start = await databaseTime();
    const subjects = await writeScenario(provider);
    const end = await databaseTime();
    const facts = new Map<string, Fact[]>();
    for (const { id } of subjects) facts.set(id, await factsKnownAt(claims.sql, provider.tenant, id, end));
    const countAt = (knownAt: number, effectiveThrough: number) =>
      subjects
        .map((subject) => countedAt(subject, facts.get(subject.id) ?? [], knownAt, effectiveThrough))
        .filter((counted) => counted !== null);

    const monthEnds = Array.from({ length: 60 }, (_, month) =>
      Date.UTC(new Date(start).getUTCFullYear(), new Date(start).getUTCMonth() + month, 1),
    ).filter((at) => at > start && at < end);
    const moments = [
      end,
      ...monthEnds,
      ...[...facts.values()].flat().flatMap(({ recordedAt, effectiveAt }) => [recordedAt, effectiveAt]),
      ...subjects.flatMap(({ submittedAt }) => [31, 61, 91].map((age) => submittedAt + age * DAY)),
    ].filter((at) => at > start && at < end);
    expect(monthEnds.length).toBeGreaterThan(3);

    const requests = fc.sample(request, RUNS).map((drawn) => {
      const pick = (number: number) =>
        Math.min(end, (moments[number % moments.length] ?? end) + drawn.besideMs);
      const [first, second] = [pick(drawn.moments[0]), pick(drawn.moments[1])];
      const [origin, period] = drawn.periods;
      return {
        valuation_at: new Date(drawn.hasTwoInstants ? Math.max(first, second) : first).toISOString(),
        ...(drawn.hasTwoInstants && { effective_through: new Date(Math.min(first, second)).toISOString() }),
        ...(drawn.isTriangle
          ? { kind: 'development', development: { origin, step: period, measures: drawn.measures } }
          : { kind: 'totals', group_by: drawn.group_by }),
      };
    });
    let groups = 0;
    let cells = 0;
    const ids: string[] = [];
    const queue = [...requests];
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (let body = queue.shift(); body !== undefined; body = queue.shift()) {
          const created = await claims.ask(provider.tenant, 'createValuationRun', { body });
          const run = await ended(provider, created.body.id);
          expect(run).toMatchObject({ status: 'ready', progress: 100 });
          ids.push(run.id);
          const counted = countAt(Date.parse(run.valuation_at), Date.parse(run.effective_through));
          expect(run.claims_counted).toBe(counted.length);
          expect(run.totals).toEqual(
            ['KES', 'USD']
              .map((currency) => ({
                currency,
                ...amountsOf(counted.filter(({ subject }) => subject.currency === currency)),
              }))
              .filter(({ claim_count }) => claim_count > 0),
          );
          if (run.kind === 'development') cells += checkTriangle(run, countAt);
          else checkGroups(run, counted);
          groups += run.groups.length;
          const { body: page } = await claims.ask(provider.tenant, 'listValuationRunClaims', {
            params: { valuation_run_id: run.id },
            query: { limit: '100' },
          });
          checkClaims(page.data, counted);
          if (run.valuation_at === run.effective_through) await checkValuations(provider, run, page.data);
        }
      }),
    );
    expect(groups).toBeGreaterThan(RUNS);
    expect(cells).toBeGreaterThan(RUNS);

    const rows = async () => {
      const found = await Promise.all(ids.map((id) => findRun(claims.sql, provider.tenant, id)));
      return found.filter((row) => row !== null);
    };
    const computeAgain = async () => {
      for (const row of await rows())
        expect(digestOf(await resultOf(claims.sql, row))).toBe(row.result_sha256);
    };
    await claims.sql.begin((tx) => deleteRollUps(tx, provider.tenant));
    await computeAgain();
    const { claims: rebuilt, months } = await rebuildPortfolio(claims.sql, provider.tenant);
    expect(rebuilt).toBe(CLAIMS);
    expect(months).toBeGreaterThan(2);
    await computeAgain();
    for (const row of (await rows()).slice(0, 8)) {
      expect(await verifyValuationRun(claims.sql, row, null)).toEqual({ claims: CLAIMS, differences: [] });
      expect(await verifyValuationRun(claims.sql, row, 5)).toEqual({ claims: 5, differences: [] });
    }
  },
  testSize({ ci: 180_000, soak: 3_600_000 }),
);

function checkClaims(items: readonly ValuationRunClaim[], counted: readonly Counted[]): void {
  const expected = counted.map(({ subject, dimensions, position: { known } }) => ({
    id: subject.id,
    object: 'valuation_run_claim',
    currency: subject.currency,
    ...dimensions,
    amount: {
      billed: known.billed,
      payer_liability: known.adjudication?.payer ?? null,
      patient_responsibility: known.adjudication?.patient_responsibility ?? null,
      adjustment: known.adjudication?.adjustment ?? null,
      remitted: known.remitted,
      settled: known.settled,
      outstanding: known.adjudication === null ? null : known.adjudication.payer - known.settled,
    },
  }));
  expect(items).toEqual(expected.sort((a, b) => (a.id < b.id ? 1 : -1)));
}

async function checkValuations(
  provider: Provider,
  run: ValuationRun,
  items: readonly ValuationRunClaim[],
): Promise<void> {
  for (const { id, status, amount } of items.slice(0, 5)) {
    const { body }: { body: ClaimValuation } = await provider.value(id, run.valuation_at);
    expect({ status, amount }).toEqual({ status: body.status, amount: body.amount });
  }
}
