/**
 * Computes the sums of a portfolio in groups in three ways: by a valuation run, by SQL over the facts, and by DuckDB over an export. All
 * three must have equal results.
 */
import type { ValuationRun, ValuationRunInput } from '@carecover/client';
import { connectPostgres, constantText } from '@carecover/postgres';
import { DuckDBInstance } from '@duckdb/node-api';
import type { BenchStack } from '../harness/bench-stack';

/** The three dimensions by which the sums are grouped. */
export const DIMENSIONS = ['status', 'payer_reference', 'practitioner_id'] as const;

const POLL_MS = 10;

export interface Timed<T> {
  readonly ms: number;
  readonly result: T;
}

export async function time<T>(work: () => Promise<T>): Promise<Timed<T>> {
  const startedAt = performance.now();
  const result = await work();
  return { ms: performance.now() - startedAt, result };
}

/** Creates a valuation run and reads it until it has a result, as a client does. @throws Error if the run fails */
export async function valueByRun({ client }: BenchStack, input: ValuationRunInput): Promise<ValuationRun> {
  const { id } = await client.valuationRuns.create(input);
  for (;;) {
    const run = await client.valuationRuns.retrieve(id);
    if (run.status === 'ready') return run;
    if (run.status === 'failed') throw new Error(`The run failed: ${run.failure}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** The sums of a group: the number of claims, and the amounts billed, remitted, settled and outstanding in minor units. */
type GroupSums = readonly [number, number, number, number, number];

/** Returns the sums of all groups as a text. Two texts are equal if and only if their sums are equal. */
function sorted(groups: readonly GroupSums[]): string {
  return groups
    .map((group) => group.join(' '))
    .sort()
    .join('\n');
}

export function sumsOfRun({ groups }: ValuationRun): string {
  return sorted(
    groups.map(({ claim_count, amount }) => [
      claim_count,
      amount.billed,
      amount.remitted,
      amount.settled,
      amount.outstanding,
    ]),
  );
}

const DECISION = "type in ('approved', 'partially_approved', 'denied', 'reversed')";

/** Computes the sums from all facts of the project that were known at an instant. */
export async function sumFacts({ databaseUrl, projectId }: BenchStack, at: string): Promise<string> {
  const sql = connectPostgres(databaseUrl('claims'), 1, 'bench-facts');
  try {
    return await sql.session(async (db) => {
      await db`set statement_timeout = 0`;
      const rows = await db<{ sums: GroupSums }[]>`
        with known as (
          select claim_id,
            (array_agg(next_status order by sequence desc))[1] as status,
            coalesce(sum((detail->>'billed')::bigint) filter (where type = 'created'), 0) as billed,
            (array_agg((detail->>'payer')::bigint order by sequence desc) filter (where ${constantText(DECISION)}))[1] as payer,
            coalesce(sum((detail->>'amount')::bigint) filter (where type = 'remittance_recorded'), 0)
              - coalesce(sum((detail->>'amount')::bigint) filter (where type = 'remittance_recovered'), 0) as remitted,
            coalesce(sum((detail->>'amount')::bigint) filter (where type = 'settled'), 0) as settled
          from facts where recorded_at <= ${at}::timestamptz and effective_at <= ${at}::timestamptz group by claim_id
        )
        select jsonb_build_array(count(*), sum(known.billed), sum(known.remitted), sum(known.settled),
          coalesce(sum(known.payer - known.settled), 0)) as sums
        from claims join known on known.claim_id = claims.id
        where project_id = ${projectId} group by known.status, payer_id, practitioner_id`;
      return sorted(rows.map(({ sums }) => sums));
    });
  } finally {
    await sql.end();
  }
}

/** Computes the sums with DuckDB from an exported Parquet file. */
export async function sumExport(path: string): Promise<string> {
  const database = await DuckDBInstance.create(':memory:');
  const connection = await database.connect();
  try {
    const rows = await connection.runAndReadAll(`
      select count(*), sum(billed), sum(remitted), sum(settled), coalesce(sum(outstanding), 0) from '${path}'
      group by ${DIMENSIONS.join(', ')}`);
    return sorted(rows.getRows().map((row) => row.map(Number) as unknown as GroupSums));
  } finally {
    connection.closeSync();
  }
}
