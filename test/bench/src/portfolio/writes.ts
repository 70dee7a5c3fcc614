/**
 * Measures how much the sums of a portfolio slow down writes: by the portfolio deltas in each transaction, and by valuation runs at the
 * same time.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { claimsHandlers, withExecutors } from '@carecover/claims';
import type { Claim } from '@carecover/client';
import { connectPostgres, type Sql } from '@carecover/postgres';
import type { BenchStack } from '../harness/bench-stack';
import { callsToPayments } from '../harness/calls-to-payments';
import { createInParallel } from '../harness/in-parallel';
import { median } from '../harness/measure';
import type { Size } from '../harness/size';
import { ourCall } from '../recording/our-call';

const WRITERS = 8;
/**
 * The maximum number of claims that one writer adjudicates in rotation, because the API limits the adjudications of a claim; there are at
 * most `--prepared`.
 */
const MAX_CLAIMS_PER_WRITER = 20;
/** The pause in milliseconds between two valuation runs whose cutoff is the present. */
const CLOSING_EVERY_MS = 1_000;

/** The first words of the SQL that appends portfolio deltas. This SQL is a part of the statement that appends facts. */
const DELTAS = 'insert into portfolio_deltas';

/**
 * Returns a connection that leaves out the SQL and values of portfolio deltas from the statements that it sends. All other SQL is
 * unchanged.
 */
function withoutDeltas(sql: Sql): Sql {
  const isDeltas = (strings: readonly string[]) => strings[0]?.trimStart().startsWith(DELTAS) === true;
  const leaveOut = <T extends object>(db: T): T =>
    new Proxy(db, {
      apply: (target, self, args) =>
        Reflect.apply(
          target as never,
          self,
          isDeltas(args[0]) ? [Object.assign(['select 1'], { raw: ['select 1'] })] : args,
        ),
      get(target, name, receiver) {
        const value = Reflect.get(target, name, receiver);
        if (name !== 'begin') return value;
        return (...args: unknown[]) => {
          const work = args.pop() as (tx: object) => unknown;
          return (value as (...all: unknown[]) => unknown).call(target, ...args, (tx: object) =>
            work(leaveOut(tx)),
          );
        };
      },
    });
  return leaveOut(sql);
}

/**
 * Returns a function that adjudicates a claim with the handlers of the claims service. It returns the duration in milliseconds of the whole
 * command, whose call to payments is executed in this process.
 */
function openWriter(claimsSql: Sql, paymentsSql: Sql, { projectId, world }: BenchStack, firstAmount: number) {
  const notCalled = () => Promise.reject(new Error('an adjudication does not call this'));
  const deps = withExecutors({
    sql: claimsSql,
    care: { sessionForClaim: notCalled, sessionsForClaims: notCalled, recordSessions: notCalled },
    benefits: {
      useForClaim: notCalled,
      useForClaims: notCalled,
      checkRecordedClaims: notCalled,
      createEligibilityChecks: notCalled,
      releaseFromClaim: notCalled,
    },
    payments: callsToPayments(paymentsSql),
    notifySignals: () => undefined,
  });
  const handlers = claimsHandlers(deps, () => async () => ({}));
  let lastAmount = firstAmount;
  return async ({ id }: Claim) => {
    // Each adjudication has an amount that differs from the amount before, because a decision that changes nothing has no portfolio delta.
    lastAmount += 1;
    const body = world.adjudicationInput(lastAmount);
    const startedAt = performance.now();
    await handlers.adjudicateClaim?.(
      ourCall('adjudicateClaim', projectId, { params: { claim_id: id }, body }),
    );
    return performance.now() - startedAt;
  };
}

export interface DeltaCost {
  /** The median duration of an adjudication, in milliseconds. */
  readonly withMs: number;
  readonly withoutMs: number;
  /**
   * The duration of a transaction with portfolio deltas, divided by that of the adjacent transaction without them: the median of these
   * ratios.
   */
  readonly ratio: number;
  readonly transactions: number;
}

/**
 * Compares transactions with and without portfolio deltas. The two kinds alternate on the same claims. The project's sums are wrong
 * afterwards.
 */
export async function measureDeltas(stack: BenchStack, count: number): Promise<DeltaCost> {
  const claims = await createInParallel(WRITERS, () => stack.world.createSubmittedClaim());
  const claimsSql = connectPostgres(stack.databaseUrl('claims'), 1, 'bench-deltas');
  const paymentsSql = connectPostgres(stack.databaseUrl('payments'), 1, 'bench-deltas');
  const writers = [
    openWriter(claimsSql, paymentsSql, stack, 100_000),
    openWriter(withoutDeltas(claimsSql), paymentsSql, stack, 150_000),
  ] as const;
  const deltasOf = async () => {
    const [row] = await claimsSql<{ count: number }[]>`
      select count(*) as count from portfolio_deltas where project_id = ${stack.projectId}`;
    return row?.count ?? 0;
  };
  const execute = async (number: number) => {
    const claim = claims[number % claims.length];
    if (claim === undefined) throw new Error('there is no claim');
    // The kind of transaction that is first alternates, because the first of two transactions can find fewer pages of the claim in
    // memory.
    const isFirst = number % 2 === 0;
    const first = await writers[isFirst ? 0 : 1](claim);
    const second = await writers[isFirst ? 1 : 0](claim);
    return isFirst ? { withMs: first, withoutMs: second } : { withMs: second, withoutMs: first };
  };
  try {
    // The first transactions are not counted, because PostgreSQL plans a statement at each of its first executions.
    for (let number = 0; number < WRITERS; number += 1) await execute(number);
    const before = await deltasOf();
    const samples = [];
    for (let number = 0; number < count; number += 1) samples.push(await execute(number));
    if ((await deltasOf()) - before !== count)
      throw new Error('Not exactly one of two transactions has written a delta.');
    return {
      withMs: median(samples.map(({ withMs }) => withMs)),
      withoutMs: median(samples.map(({ withoutMs }) => withoutMs)),
      ratio: median(samples.map(({ withMs, withoutMs }) => withMs / withoutMs)),
      transactions: samples.length,
    };
  } finally {
    await claimsSql.end();
    await paymentsSql.end();
  }
}

/**
 * Adjudicates claims over HTTP for `ms` milliseconds: one writer per list of claims, in rotation. Returns the number of adjudications per
 * second.
 */
async function adjudicateFor(
  { world, client }: BenchStack,
  claims: readonly (readonly Claim[])[],
  ms: number,
): Promise<number> {
  const startedAt = performance.now();
  const endMs = startedAt + ms;
  let written = 0;
  const write = async (own: readonly Claim[]) => {
    while (performance.now() < endMs) {
      for (const { id } of own) {
        if (performance.now() >= endMs) break;
        await client.claims.adjudicate(id, world.adjudicationInput(100_000 + (written % 100_000)));
        written += 1;
      }
    }
  };
  await Promise.all(claims.map(write));
  return (written * 1_000) / (performance.now() - startedAt);
}

/**
 * Creates one valuation run per second, with the present as its cutoff. Returns a function that stops this loop and returns the number of
 * runs that the loop created.
 */
function closeRepeatedly({ client }: BenchStack): () => Promise<number> {
  let isStopped = false;
  const closing = (async () => {
    let runs = 0;
    for (; !isStopped; runs += 1) {
      await client.valuationRuns.create({ valuation_at: new Date().toISOString(), kind: 'totals' });
      await sleep(CLOSING_EVERY_MS);
    }
    return runs;
  })();
  return () => {
    isStopped = true;
    return closing;
  };
}

export interface ClosingCost {
  /** Adjudications per second of eight concurrent clients over HTTP, while no valuation run is created. */
  readonly alone: number;
  readonly whileClosing: number;
  /** The rate of adjudications while valuation runs are created, divided by the rate without them: the median over the rounds. */
  readonly ratio: number;
  readonly runs: number;
}

/**
 * Compares the adjudications per second without valuation runs and with one run of the same project per second. The two measurements
 * alternate.
 */
export async function measureClosing(stack: BenchStack, size: Size): Promise<ClosingCost> {
  const each = Math.min(MAX_CLAIMS_PER_WRITER, size.prepared);
  const all = await createInParallel(WRITERS * each, () => stack.world.createSubmittedClaim());
  const claims = Array.from({ length: WRITERS }, (_, writer) =>
    all.slice(writer * each, (writer + 1) * each),
  );
  await adjudicateFor(stack, claims, size.warmUpSeconds * 1_000);
  const rounds: { alone: number; whileClosing: number }[] = [];
  let runs = 0;
  const ms = size.seconds * 1_000;
  for (let round = 0; round < size.rounds; round += 1) {
    const alone = () => adjudicateFor(stack, claims, ms);
    const closing = async () => {
      const stop = closeRepeatedly(stack);
      const rate = await adjudicateFor(stack, claims, ms);
      runs += await stop();
      return rate;
    };
    // The measurement that is first alternates between the rounds, because the growing histories of the claims slow down the second one.
    if (round % 2 === 0) rounds.push({ alone: await alone(), whileClosing: await closing() });
    else {
      const whileClosing = await closing();
      rounds.push({ alone: await alone(), whileClosing });
    }
  }
  return {
    alone: median(rounds.map((round) => round.alone)),
    whileClosing: median(rounds.map((round) => round.whileClosing)),
    ratio: median(rounds.map((round) => round.whileClosing / round.alone)),
    runs,
  };
}
