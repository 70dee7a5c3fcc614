/** Compares a valuation run with the facts of the claims that it counts. Changes nothing. */
import type { Sql } from '@carecover/postgres';
import { type Position, positionAt } from '../rules/portfolio';
import { outstandingOf } from '../rules/valuation';
import { batchesOfClaimIds, randomClaimIds, summedFactsOf } from '../store/portfolio';
import { type CountedClaim, cutoffsOf, findCountedClaims, type RunRow } from '../store/valuation-runs';
import { digestOf, resultOf } from './value-portfolio';

const BATCH = 500;

/** The number of claims that were compared, and a description of each difference. */
export interface Verification {
  readonly claims: number;
  readonly differences: string[];
}

type Amounts = Record<string, number | string | boolean>;

function fromPosition({ status, known }: Position): Amounts {
  const { adjudication } = known;
  return {
    status,
    is_adjudicated: adjudication !== null,
    billed: known.billed,
    payer_liability: adjudication?.payer ?? 0,
    patient_responsibility: adjudication?.patient_responsibility ?? 0,
    adjustment: adjudication?.adjustment ?? 0,
    remitted: known.remitted,
    settled: known.settled,
    outstanding: outstandingOf(known) ?? 0,
  };
}

function difference(id: string, position: Position | null, counted: CountedClaim | undefined): string | null {
  if (position === null)
    return counted === undefined ? null : `${id}: is counted, but has no facts at the cutoffs`;
  if (counted === undefined) return `${id}: is not counted`;
  const wrong = Object.entries(fromPosition(position)).filter(
    ([name, value]) => Reflect.get(counted, name) !== value,
  );
  if (wrong.length === 0) return null;
  const texts = wrong.map(
    ([name, value]) => `${name} is ${Reflect.get(counted, name)}, by the facts ${value}`,
  );
  return `${id}: ${texts.join('; ')}`;
}

/** Sums of the claims' amounts by currency, computed from facts, to compare with the run's totals. */
class Totals {
  private readonly sums = new Map<string, Map<string, bigint>>();

  add(currency: string, position: Position): void {
    const sums = this.sums.get(currency) ?? new Map<string, bigint>([['claim_count', 0n]]);
    sums.set('claim_count', (sums.get('claim_count') ?? 0n) + 1n);
    for (const [name, value] of Object.entries(fromPosition(position)))
      if (typeof value === 'number') sums.set(name, (sums.get(name) ?? 0n) + BigInt(value));
    this.sums.set(currency, sums);
  }

  differences(totals: NonNullable<RunRow['totals']>): string[] {
    const stored = new Map(
      totals.map(({ currency, claim_count, amount }) => [currency, { claim_count, ...amount }]),
    );
    const currencies = new Set([...stored.keys(), ...this.sums.keys()]);
    return [...currencies].flatMap((currency) => {
      const found = stored.get(currency);
      const sums = this.sums.get(currency);
      if (found === undefined || sums === undefined)
        return [`${currency}: only in the ${found ? 'run' : 'facts'}`];
      return Object.entries(found)
        .filter(([name, value]) => BigInt(value) !== sums.get(name))
        .map(([name, value]) => `${currency}: ${name} is ${value}, by the facts ${sums.get(name)}`);
    });
  }
}

/**
 * Computes a run's result again, and compares the stored amounts of claims at the run's cutoffs with the claims' facts. Compares either a
 * random sample of the claims, or all claims and the run's totals.
 *
 * @param sample the number of random claims; null compares all
 * @throws Error if the run is not ready
 */
export async function verifyValuationRun(
  sql: Sql,
  run: RunRow,
  sample: number | null,
): Promise<Verification> {
  if (run.status !== 'ready' || run.totals === null)
    throw new Error(`The run is not ready: it is ${run.status}.`);
  const { project_id: tenant } = run;
  const cutoffs = cutoffsOf(run);
  const differences: string[] = [];
  const digest = digestOf(await resultOf(sql, run));
  if (digest !== run.result_sha256)
    differences.push(`${run.id}: result_sha256 is ${run.result_sha256}, computed again ${digest}`);
  const totals = new Totals();
  let claims = 0;
  const compare = async (ids: readonly string[]) => {
    const facts = await summedFactsOf(sql, tenant, ids);
    const counted = await findCountedClaims(sql, tenant, cutoffs, ids);
    const byId = new Map(counted.map((claim) => [claim.id, claim]));
    for (const [id, ofClaim] of facts) {
      const position = positionAt(ofClaim, cutoffs);
      const found = difference(id, position, byId.get(id));
      if (found !== null) differences.push(found);
      if (position !== null) totals.add(position.known.currency, position);
    }
    claims += ids.length;
  };
  if (sample !== null) {
    const ids = await randomClaimIds(sql, tenant, sample);
    for (let from = 0; from < ids.length; from += BATCH) await compare(ids.slice(from, from + BATCH));
    return { claims, differences };
  }
  for await (const ids of batchesOfClaimIds(sql, tenant, BATCH)) await compare(ids);
  return { claims, differences: [...differences, ...totals.differences(run.totals)] };
}
