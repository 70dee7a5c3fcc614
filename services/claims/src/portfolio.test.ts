/**
 * Sums over a project's claims from real writes. At every cutoff they equal the totals of the claims' valuations. After a portfolio is
 * closed through a cutoff, its sums at this cutoff never change, even while writers continue and the clock is changed.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { fc } from '@carecover/testing';
import { testSize } from '@carecover/testing/servers';
import type { Sums } from './rules/portfolio';
import { lockClaims } from './store/claims';
import { closePortfolioThrough } from './store/closed-through';
import { factsKnownAt } from './store/facts';
import { type Cutoffs, isIncluded, summedFactsOf } from './store/portfolio';
import { knownInEffect, sumsOfPosition, sumsOfValuation } from './testing/portfolio-sums';
import { adjudication, Provider } from './testing/provider';
import { startTestClaims, type TestClaims } from './testing/test-claims';

const ROUNDS = testSize({ ci: 6, soak: 200 });
const WRITERS = 8;

let claims: TestClaims;
beforeAll(async () => {
  claims = await startTestClaims();
});
afterAll(() => claims.stop());
afterEach(() => claims.database.setClockOffset(0));

function signal(): [promise: Promise<void>, resolve: () => void] {
  let resolve = () => {};
  const promise = new Promise<void>((resolved) => {
    resolve = resolved;
  });
  return [promise, resolve];
}

async function databaseTime(): Promise<number> {
  const [row] = await claims.sql<{ now: Date }[]>`select platform.now() as now`;
  return row?.now.getTime() ?? Number.NaN;
}

/**
 * Creates an adjudicated claim and executes one command on it per number in `choices`: an adjudication, a remittance or a settlement. Some
 * of them have an earlier effective_at than the facts before them. Some claims are then reversed.
 */
async function written(provider: Provider, choices: readonly number[]): Promise<string> {
  const { id } = await provider.submitted();
  await provider.adjudicate(id, 100_000, 50_000);
  for (const choice of choices) {
    const at = new Date((await databaseTime()) - choice * 37).toISOString();
    if (choice % 4 === 0)
      await provider.ask('adjudicateClaim', id, adjudication(100_000 - 1_000 * choice, 50_000));
    else if (choice % 4 === 1) await provider.remit(id, 1_000 + choice, { receivedAt: at });
    else if (choice % 4 === 2) await provider.settle(id, 500 + choice, { observedAt: at });
    else await provider.settle(id, 300, { observedAt: at, reconciledAt: at });
  }
  if (choices.length % 5 === 4)
    await provider.ask('reverseClaim', id, { reason_code: 'recorded_in_error', evidence_refs: ['note:1'] });
  return id;
}

async function totalOf(provider: Provider, cutoffs: Cutoffs) {
  const rows = await claims.sql<(Record<string, string> & { status: string })[]>`
    select status, sum(claims) as "claims", sum(outstanding_claims) as "outstandingClaims",
      sum(adjudicated_claims) as "adjudicatedClaims", sum(billed) as "billed",
      sum(payer_liability) as "payerLiability", sum(patient_responsibility) as "patientResponsibility",
      sum(adjustment) as "adjustment", sum(remitted) as "remitted", sum(settled) as "settled", sum(outstanding) as "outstanding"
    from portfolio_deltas delta where ${isIncluded(claims.sql, provider.tenant, cutoffs)}
    group by status having sum(claims) <> 0`;
  return Object.fromEntries(
    rows.map(({ status, ...sums }) => [
      status,
      Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, BigInt(sum)])),
    ]),
  );
}

/**
 * Returns the totals by status of what each claim adds to the sums. The result has the same form as the result of {@link totalOf}, with
 * which it is compared.
 */
function added(positions: readonly { readonly status: string; readonly sums: Record<keyof Sums, number> }[]) {
  const totals: Record<string, Record<string, bigint>> = {};
  for (const { status, sums } of positions) {
    const total = totals[status] ?? {};
    for (const [name, value] of Object.entries(sums)) total[name] = (total[name] ?? 0n) + BigInt(value);
    totals[status] = total;
  }
  return totals;
}

test('the sums at a cutoff are the totals of the valuations, and at two cutoffs those of the facts', async () => {
  const provider = new Provider(claims);
  const histories = fc.sample(fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 5 }), 2 * ROUNDS);
  const start = await databaseTime();
  const ids: string[] = [];
  for (let next = 0; next < histories.length; next += WRITERS) {
    const group = histories.slice(next, next + WRITERS);
    ids.push(...(await Promise.all(group.map((choices) => written(provider, choices)))));
  }
  const end = await databaseTime();
  const instant = fc.integer({ min: start, max: end });
  for (const [knownAt, effectiveThrough] of [
    [end, end] as const,
    ...fc.sample(fc.tuple(instant, instant), ROUNDS),
  ]) {
    const valuations = await Promise.all(ids.map((id) => provider.value(id, knownAt)));
    const found = valuations.filter(({ status }) => status === 200).map(({ body }) => sumsOfValuation(body));
    expect(await totalOf(provider, { knownAt, effectiveThrough: knownAt })).toEqual(added(found));
    const positions = await Promise.all(
      ids.map(async (id) => {
        const facts = await factsKnownAt(claims.sql, provider.tenant, id, end);
        return knownInEffect(facts, { knownAt, effectiveThrough });
      }),
    );
    const expected = positions.filter((position) => position !== null).map(sumsOfPosition);
    expect(await totalOf(provider, { knownAt, effectiveThrough })).toEqual(added(expected));
  }
});

test('what was summed at a closed cutoff never changes, while eight writers continue and the clock steps', async () => {
  const provider = new Provider(claims);
  let isWriting = true;
  const writer = async (number: number) => {
    let count = 0;
    for (; isWriting; count += 1) await written(provider, [number, number + 5]);
    return count;
  };
  const writers = Array.from({ length: WRITERS }, (_, index) => writer(index));
  const answered: { cutoff: number; total: unknown }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await claims.database.setClockOffset(((round * 7_919) % 5_000) - 2_500);
    const cutoff = await databaseTime();
    await closePortfolioThrough(claims.sql, provider.tenant, cutoff);
    answered.push({ cutoff, total: await totalOf(provider, { knownAt: cutoff, effectiveThrough: cutoff }) });
    await sleep(50);
  }
  isWriting = false;
  const counts = await Promise.all(writers);
  expect(Math.min(...counts)).toBeGreaterThan(0);
  for (const { cutoff, total } of answered) {
    expect(await totalOf(provider, { knownAt: cutoff, effectiveThrough: cutoff })).toEqual(total);
  }
});

test('closing waits for a transaction that took the lock before, and gives up when it stays open', async () => {
  const provider = new Provider(claims);
  const { id } = await provider.submitted();
  const [locked, isLocked] = signal();
  const [released, release] = signal();
  const cutoff = await databaseTime();
  const writing = claims.sql.begin(async (tx) => {
    await lockClaims(tx, provider.tenant, [id]);
    isLocked();
    await released;
  });
  await locked;
  const closing = closePortfolioThrough(claims.sql, provider.tenant, cutoff);
  await expect(closing).rejects.toMatchObject({ code: 'service_unavailable' });
  release();
  await writing;
  await closePortfolioThrough(claims.sql, provider.tenant, cutoff);
  const facts = await claims.sql.begin((tx) => summedFactsOf(tx, provider.tenant, [id]));
  expect(facts.get(id)).toHaveLength(3);
});
