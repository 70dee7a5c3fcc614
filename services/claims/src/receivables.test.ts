/** Receivables over HTTP: at every instant they equal the sums of the valuations of all claims. */
import type { Claim, ClaimValuation, Receivables } from '@carecover/contract';
import { newId } from '@carecover/domain';
import { fc } from '@carecover/testing';
import { testSize } from '@carecover/testing/servers';
import type { Asked } from '@carecover/testing/services';
import { whileLocked } from './testing/advisory-lock';
import { Model, SOME } from './testing/model';
import { Provider } from './testing/provider';
import { startTestClaims, type TestClaims } from './testing/test-claims';
import { outstandingAt } from './use-cases/sum-receivables';

const DAY = 86_400_000;

let claims: TestClaims;
beforeAll(async () => {
  claims = await startTestClaims();
}, 120_000);
afterAll(() => claims.stop());
beforeEach(() => setClockAhead(0));

async function setClockAhead(ms: number): Promise<void> {
  await claims.database.setClockOffset(ms);
}

async function databaseTime(): Promise<number> {
  const [row] = await claims.sql<{ now: Date }[]>`select platform.now() as now`;
  return row?.now.getTime() ?? Number.NaN;
}

function request(provider: Provider, at: number | Date | string, asked: Asked = {}) {
  const query = { at: new Date(at).toISOString(), ...asked.query };
  return claims.ask(provider.tenant, 'getReceivables', { ...asked, query });
}

async function receivables(
  provider: Provider,
  at: number | Date | string,
  asked: Asked = {},
): Promise<Receivables> {
  const { status, body } = await request(provider, at, asked);
  expect(status).toBe(200);
  return body;
}

interface Coverage {
  readonly practitionerId: string;
  readonly currency: string;
  readonly payerId: string;
}

/** Submits a claim for a session of the given practitioner under a coverage. */
async function submit(provider: Provider, { practitionerId, currency, payerId }: Coverage): Promise<Claim> {
  const eligibility_check_id = newId('elig_');
  claims.others.coverages.set(eligibility_check_id, { currency, payerId, plan: 'Outpatient' });
  const { sessionId } = claims.others.deliveredSession({ practitionerId });
  return provider.submitted({ eligibility_check_id, session_id: sessionId });
}

const AMINA = { practitionerId: 'prc_amina', currency: 'KES', payerId: 'payer_1' };
const amounts = (total: number, bands: Partial<Receivables['currencies'][number]['outstanding']>) => ({
  total,
  days_0_30: 0,
  days_31_60: 0,
  days_61_90: 0,
  days_over_90: 0,
  ...bands,
});

test('an outstanding amount is in the age band of the whole days since the submission, to the millisecond', async () => {
  const provider = new Provider(claims);
  const { id, submitted_at } = await submit(provider, AMINA);
  await provider.adjudicate(id, 100_000, 0);
  await setClockAhead(92 * DAY);
  const submitted = Date.parse(submitted_at ?? '');
  const bandAt = async (ms: number) => {
    const { currencies } = await receivables(provider, submitted + ms);
    const [kes] = currencies;
    expect(kes?.outstanding.total).toBe(100_000);
    return Object.entries(kes?.outstanding ?? {}).find(
      ([name, amount]) => name !== 'total' && amount > 0,
    )?.[0];
  };
  expect(await bandAt(31 * DAY - 1)).toBe('days_0_30');
  expect(await bandAt(31 * DAY)).toBe('days_31_60');
  expect(await bandAt(61 * DAY - 1)).toBe('days_31_60');
  expect(await bandAt(61 * DAY)).toBe('days_61_90');
  expect(await bandAt(91 * DAY - 1)).toBe('days_61_90');
  expect(await bandAt(91 * DAY)).toBe('days_over_90');
});

test('amounts are listed by currency, practitioner and payer reference, and can be limited to a currency', async () => {
  const provider = new Provider(claims);
  const coverages = [
    AMINA,
    { ...AMINA, payerId: 'payer_2' },
    { ...AMINA, practitionerId: 'prc_ben' },
    { ...AMINA, currency: 'USD' },
  ];
  for (const coverage of coverages) {
    const { id } = await submit(provider, coverage);
    await provider.adjudicate(id, SOME, 0);
  }
  await submit(provider, AMINA);
  const at = await databaseTime();
  const body = await receivables(provider, at);
  const of = (number: number) => ({
    claim_count: number,
    outstanding: amounts(number * SOME, { days_0_30: number * SOME }),
  });
  expect(body.at).toBe(new Date(at).toISOString());
  expect(body.currencies).toEqual([
    {
      currency: 'KES',
      ...of(3),
      practitioners: [
        { practitioner_id: 'prc_amina', ...of(2) },
        { practitioner_id: 'prc_ben', ...of(1) },
      ],
      payers: [
        { payer_reference: 'contract/payer_1', ...of(2) },
        { payer_reference: 'contract/payer_2', ...of(1) },
      ],
    },
    {
      currency: 'USD',
      ...of(1),
      practitioners: [{ practitioner_id: 'prc_amina', ...of(1) }],
      payers: [{ payer_reference: 'contract/payer_1', ...of(1) }],
    },
  ]);
  const inDollars = await receivables(provider, at, { query: { currency: 'USD' } });
  expect(inDollars.currencies).toEqual(body.currencies.slice(1));
  expect((await receivables(provider, at, { query: { currency: 'EUR' } })).currencies).toEqual([]);
});

test('an operator opens each sum: its claims are those whose outstanding amounts it adds up', async () => {
  const provider = new Provider(claims);
  const ids = [];
  for (const coverage of [AMINA, { ...AMINA, payerId: 'payer_2' }, { ...AMINA, practitionerId: 'prc_ben' }]) {
    const { id } = await submit(provider, coverage);
    await provider.adjudicate(id, SOME, 0);
    ids.push(id);
  }
  const [first, second, third] = ids;
  await submit(provider, AMINA);
  const at = await databaseTime();
  const open = async (sum: object, tenant = provider.tenant) => {
    const body = { at: new Date(at).toISOString(), currency: 'KES', ...sum };
    const answer = await claims.operator(tenant, '/outstanding_claims', 'console', body);
    expect(answer.status).toBe(200);
    return answer.body.data.map(({ id, outstanding }: { id: string; outstanding: number }) => {
      expect(outstanding).toBe(SOME);
      return id;
    });
  };
  expect((await open({})).sort()).toEqual([...ids].sort());
  expect(await open({ payer_id: 'payer_2' })).toEqual([second]);
  expect(await open({ practitioner_id: 'prc_ben', age: 'days_0_30' })).toEqual([third]);
  expect(await open({ age: 'days_31_60' })).toEqual([]);
  expect(await open({ currency: 'USD' })).toEqual([]);
  expect(await open({}, new Provider(claims).tenant)).toEqual([]);
  await setClockAhead(31 * DAY);
  await provider.settle(first ?? '', SOME / 2);
  const later = { at: new Date(await databaseTime()).toISOString(), age: 'days_31_60' };
  const { body } = await claims.operator(provider.tenant, '/outstanding_claims', 'console', {
    ...{ currency: 'KES', ...later },
  });
  expect(body.data.at(-1)).toMatchObject({ id: first, outstanding: SOME / 2 });
  // What was known at the earlier instant stays the same.
  expect((await open({})).sort()).toEqual([...ids].sort());
  for (const wrong of [{ at: 'today' }, { currency: 'XYZ' }]) {
    const request = { at: later.at, currency: 'KES', ...wrong };
    const answer = await claims.operator(provider.tenant, '/outstanding_claims', 'console', request);
    expect([answer.status, answer.body.error.code]).toEqual([400, 'validation_failed']);
  }
});

test('they contain only claims that the client can read', async () => {
  const provider = new Provider(claims);
  const [first, second] = [await submit(provider, AMINA), await submit(provider, AMINA)];
  for (const { id } of [first, second]) await provider.adjudicate(id, SOME, 0);
  const at = await databaseTime();
  const visible = await receivables(provider, at, { resourceIds: [second.id] });
  expect(visible.currencies).toMatchObject([{ claim_count: 1, outstanding: { total: SOME } }]);
  expect((await receivables(new Provider(claims), at)).currencies).toEqual([]);
});

test('an instant up to five seconds ahead is answered once it has passed, and a later one is rejected', async () => {
  const provider = new Provider(claims);
  const at = (await databaseTime()) + 700;
  await receivables(provider, at);
  expect(await databaseTime()).toBeGreaterThanOrEqual(at);
  const rejected = await request(provider, (await databaseTime()) + 60_000);
  expect(rejected).toMatchObject({ status: 400, code: 'validation_failed' });
  expect(rejected.text).toContain('/query/at is more than 5 seconds ahead');
});

type Step = { readonly claim: number } & (
  | { readonly kind: 'adjudicate'; readonly payer: 0 | 70_000 | 150_000 }
  | { readonly kind: 'remit' | 'settle' | 'take_back'; readonly share: number }
  | { readonly kind: 'reverse' | 'cancel' }
);

class Subject {
  readonly model = new Model();

  constructor(
    readonly provider: Provider,
    readonly claim: Claim,
    readonly coverage: Coverage,
  ) {}

  async take(step: Step): Promise<void> {
    const { model, provider } = this;
    const { id } = this.claim;
    switch (step.kind) {
      case 'adjudicate':
        if (model.adjudicate(step.payer) !== null) return;
        await provider.adjudicate(id, Math.min(step.payer, 100_000), Math.max(0, step.payer - 100_000));
        return;
      case 'remit': {
        if (model.remittable <= 0) return;
        const amount = Math.max(1, Math.floor(model.remittable * step.share));
        model.remit(amount);
        await provider.remit(id, amount, { adjudicationVersion: model.adjudications });
        return;
      }
      case 'settle': {
        if (model.settleable <= 0) return;
        const amount = Math.max(1, Math.floor(model.settleable * step.share));
        model.settle(await provider.settle(id, amount), amount);
        return;
      }
      case 'take_back': {
        const observation = model.observations[0];
        if (observation === undefined) return;
        model.takeBack(observation.id);
        await provider.settle(id, -observation.amount, { settlementId: observation.id });
        return;
      }
      case 'reverse':
        if (model.reverse() === null) await provider.ask('reverseClaim', id, { reason_code: 'aa' });
        return;
      case 'cancel':
        if (model.cancel() === null) await provider.ask('cancelClaim', id, { reason_code: 'aa' });
    }
  }
}

/** Computes the expected `currencies` of the response for receivables at the instant `at`, from the claims' valuations. */
async function sumOfValuations(subjects: readonly Subject[], at: number) {
  const valued: { subject: Subject; outstanding: number; band: string }[] = [];
  for (const subject of subjects) {
    const answer = await subject.provider.value(subject.claim.id, at);
    if (answer.status === 404) continue;
    const { outstanding }: ClaimValuation['amount'] = answer.body.amount;
    if (outstanding === null || outstanding === 0) continue;
    const days = Math.floor((at - Date.parse(subject.claim.submitted_at ?? '')) / DAY);
    const band =
      days <= 30 ? 'days_0_30' : days <= 60 ? 'days_31_60' : days <= 90 ? 'days_61_90' : 'days_over_90';
    valued.push({ subject, outstanding, band });
  }
  const add = (part: typeof valued) => {
    const bands: Record<string, number> = amounts(0, {});
    for (const { outstanding, band } of part) {
      bands[band] = (bands[band] ?? 0) + outstanding;
      bands.total = (bands.total ?? 0) + outstanding;
    }
    return { claim_count: part.length, outstanding: bands };
  };
  const by = (part: typeof valued, key: keyof Coverage) =>
    [...new Set(part.map(({ subject }) => subject.coverage[key]))]
      .map((value) => ({ value, ...add(part.filter(({ subject }) => subject.coverage[key] === value)) }))
      .sort(
        (a, b) => (b.outstanding.total ?? 0) - (a.outstanding.total ?? 0) || (a.value < b.value ? -1 : 1),
      );
  return ['KES', 'USD'].flatMap((currency) => {
    const part = valued.filter(({ subject }) => subject.coverage.currency === currency);
    if (part.length === 0) return [];
    return {
      currency,
      ...add(part),
      practitioners: by(part, 'practitionerId').map(({ value, ...rest }) => ({
        practitioner_id: value,
        ...rest,
      })),
      payers: by(part, 'payerId').map(({ value, ...rest }) => ({
        payer_reference: `contract/${value}`,
        ...rest,
      })),
    };
  });
}

const CLAIMS = 5;
const share = fc.double({ min: 0.01, max: 1, noNaN: true });
const step: fc.Arbitrary<Step> = fc
  .oneof(
    fc.record({
      kind: fc.constant('adjudicate' as const),
      payer: fc.constantFrom(0 as const, 70_000 as const, 150_000 as const),
    }),
    fc.record({ kind: fc.constantFrom('remit' as const, 'settle' as const, 'take_back' as const), share }),
    fc.record({ kind: fc.constantFrom('remit' as const, 'settle' as const), share: fc.constant(1) }),
    fc.record({ kind: fc.constantFrom('reverse' as const, 'cancel' as const) }),
  )
  .chain((taken) => fc.nat(CLAIMS - 1).map((claim) => ({ ...taken, claim }) as Step));
const coverage: fc.Arbitrary<Coverage> = fc.record({
  practitionerId: fc.constantFrom('prc_amina', 'prc_ben', 'prc_chao'),
  currency: fc.constantFrom('KES', 'USD'),
  payerId: fc.constantFrom('payer_1', 'payer_2'),
});
const exactly = <T>(length: number, of: fc.Arbitrary<T>) =>
  fc.array(of, { minLength: length, maxLength: length });
/**
 * A randomly drawn instant: the time of a fact, or the time at which a claim reaches the next age band, plus or minus up to one
 * millisecond.
 */
const instant = fc.record({
  nth: fc.nat(10_000),
  besideMs: fc.constantFrom(-1, 0, 0, 1),
});

test('requests do not wait while a month of the project is rolled up, and have the same response', async () => {
  const provider = new Provider(claims);
  const { id } = await submit(provider, AMINA);
  await provider.adjudicate(id, SOME, 0);
  await setClockAhead(100 * DAY);
  const at = await databaseTime();
  // The transaction has the locks of a roll-up that takes long.
  const during = await whileLocked(claims.database.url('claims'), 'roll-up', provider.tenant, async (tx) => {
    await tx`insert into portfolio_rollup_states (project_id, rolled_through) values (${provider.tenant}, '2020-01-01T00:00:00Z')`;
    return Promise.all(Array.from({ length: 12 }, () => receivables(provider, at)));
  });
  for (const response of during) expect(response).toEqual(during[0]);
  expect(during[0]?.currencies[0]?.outstanding.total).toBe(SOME);
  await claims.sql`delete from portfolio_rollup_states where project_id = ${provider.tenant}`;
  expect(await receivables(provider, at)).toEqual(during[0]);
  for (const early of ['0001-01-01T00:00:00.000Z', '0001-01-15T00:00:00.000Z', '0099-12-31T23:59:59.999Z'])
    expect((await receivables(provider, early)).currencies).toEqual([]);
  const [state] = await claims.sql`select from portfolio_rollup_states where project_id = ${provider.tenant}`;
  expect(state).toBeDefined();
});

test(
  'at any instant, receivables equal the sums of the single valuations',
  async () => {
    const runs = testSize({ ci: 4, soak: 100 });
    const script = fc.tuple(
      exactly(CLAIMS, coverage),
      exactly(testSize({ ci: 30, soak: 60 }), fc.tuple(step, fc.constantFrom(0, 0, 1, 7, 19))),
      exactly(testSize({ ci: 25, soak: 60 }), instant),
    );
    let hasOutstanding = 0;
    await fc.assert(
      fc.asyncProperty(script, async ([coverages, steps, instants]) => {
        await setClockAhead(0);
        const provider = new Provider(claims);
        const subjects: Subject[] = [];
        let days = 0;
        const submitNext = async () => {
          const next = coverages[subjects.length];
          if (next !== undefined) subjects.push(new Subject(provider, await submit(provider, next), next));
        };
        await submitNext();
        for (const [taken, pause] of steps) {
          if (pause > 0) {
            days += pause;
            await setClockAhead(days * DAY);
            await submitNext();
          }
          await subjects[taken.claim % subjects.length]?.take(taken);
        }
        const facts = await claims.sql<{ recorded_at: Date; effective_at: Date }[]>`
          select recorded_at, effective_at from facts where claim_id = any(${subjects.map(({ claim }) => claim.id)})`;
        const now = await databaseTime();
        const moments = [
          now,
          ...facts.flatMap(({ recorded_at, effective_at }) => [
            recorded_at.getTime(),
            effective_at.getTime(),
          ]),
          ...subjects.flatMap(({ claim }) =>
            [31, 61, 91].map((age) => Date.parse(claim.submitted_at ?? '') + age * DAY),
          ),
        ];
        for (const { nth, besideMs } of instants) {
          const at = (moments[nth % moments.length] ?? now) + besideMs;
          if (at > now) continue;
          const { currencies } = await receivables(provider, at);
          const expected = await sumOfValuations(subjects, at);
          expect(currencies).toEqual(expected);
          const totals = currencies.map(({ currency, outstanding }) => ({
            currency,
            amount: outstanding.total,
          }));
          expect(await outstandingAt(claims.sql, provider.tenant, at)).toEqual(totals);
          hasOutstanding += expected.length;
        }
      }),
      { numRuns: runs, endOnFailure: true },
    );
    expect(hasOutstanding).toBeGreaterThan(runs);
  },
  testSize({ ci: 120_000, soak: 3_600_000 }),
);
