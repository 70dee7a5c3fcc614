/**
 * Kills (SIGKILL) the claims processes of a stack with two replicas at random times during valuation runs and exports. A run must have the
 * same result as an undisturbed run of the same request, no write may be recorded at or before the cutoff of a run, and a client must
 * receive an error if its export is incomplete.
 */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Claim, ValuationRun, ValuationRunId, ValuationRunInput } from '@carecover/client';
import { drawCases } from '@carecover/testing';
import { eventually, testSize } from '@carecover/testing/servers';
import { isInterruption, retryUntilResponse, useWorld } from '@carecover/testing/stack';
import { Client as Database } from 'pg';

const REPLICAS = 2;
const WRITERS = testSize({ ci: 2, soak: 8 }) * REPLICAS;
const CLOSINGS = testSize({ ci: 3, soak: 80 });
const KILLED_RUNS = testSize({ ci: 4, soak: 60 });
const MONTHS = 24;
/**
 * The number of copies that are inserted of each of the test's two claims. Together they are more than one row group of a Parquet file, so
 * that its export is interrupted before all claims are read.
 */
const COPIES = testSize({ ci: 6_000, soak: 50_000 });
const ALL_FORMATS = ['text/csv', 'application/x-ndjson', 'application/vnd.apache.parquet'];
const FORMATS = testSize({ ci: drawCases(ALL_FORMATS, 1), soak: ALL_FORMATS });

const running = useWorld({ replicas: REPLICAS });

async function query(text: string, values: readonly unknown[] = []) {
  const database = new Database({ connectionString: running.stack.file.database_url });
  await database.connect();
  try {
    return (await database.query(text, [...values])).rows;
  } finally {
    await database.end();
  }
}

const replicas = () =>
  Array.from({ length: REPLICAS }, (_, replica) => running.stack.part('claims', replica));

/**
 * Kills both replicas of claims in every third round, and one replica in the other rounds. Returns a function that starts the killed
 * processes again.
 */
async function kill(round: number): Promise<() => Promise<unknown>> {
  const killed =
    round % 3 === 2 ? replicas() : replicas().filter((_, replica) => replica === round % REPLICAS);
  await Promise.all(killed.map((part) => part.kill()));
  return () => Promise.all(killed.map((part) => part.start()));
}

function create(input: ValuationRunInput): Promise<Pick<ValuationRun, 'id'>> {
  return retryUntilResponse((options) => running.world.client.valuationRuns.create(input, options));
}

/** Waits until a valuation run is no longer pending, and returns it. */
function ended(id: ValuationRunId): Promise<ValuationRun> {
  return eventually('the run ends', async () => {
    const run = await retryUntilResponse(() => running.world.client.valuationRuns.retrieve(id));
    return run.status !== 'pending' && run;
  });
}

test(
  `no write falls inside a closed cutoff while ${WRITERS} writers write, the clock steps and replicas are killed`,
  async () => {
    const { world } = running;
    let isWriting = true;
    const written = Array.from({ length: WRITERS }, () => 0);
    const claims: Claim[] = [];
    for (let number = 0; number < WRITERS; number += 1) claims.push(await world.createSubmittedClaim());
    const writers = claims.map(async ({ id }, number) => {
      for (; isWriting; written[number] = (written[number] ?? 0) + 1) {
        const input = world.adjudicationInput(100_000 + number + 100 * (written[number] ?? 0));
        await retryUntilResponse((options) => world.client.claims.adjudicate(id, input, options));
      }
    });
    const created: { input: ValuationRunInput; id: ValuationRunId }[] = [];
    for (let round = 0; round < CLOSINGS; round += 1) {
      await running.moveClock(((round * 7_919) % 4_000) - 2_000);
      const input: ValuationRunInput = {
        valuation_at: new Date().toISOString(),
        kind: 'totals',
        group_by: ['status', 'payer_reference'],
      };
      created.push({ input, id: (await create(input)).id });
      await sleep(Math.random() * 500);
      await (await kill(round))();
    }
    isWriting = false;
    await Promise.all(writers);
    expect(Math.min(...written)).toBeGreaterThan(0);
    await running.moveClock(10_000);
    for (const { input, id } of created) {
      const run = await ended(id);
      expect(run.status).toBe('ready');
      // The CLI computes the result again from the facts of all claims and compares it with the stored result.
      await expect(running.operator('valuation', 'verify', id, '--all')).resolves.toMatchObject({
        claims: WRITERS,
      });
      const again = await ended((await create(input)).id);
      expect([again.result_sha256, again.groups]).toEqual([run.result_sha256, run.groups]);
    }
  },
  testSize({ ci: 300_000, soak: 1_800_000 }),
);

describe('a portfolio over several months', () => {
  let valuation_at: string;

  beforeAll(async () => {
    await running.moveClock(0);
    const { world } = running;
    const denied = await world.createSubmittedClaim();
    await world.client.claims.adjudicate(denied.id, world.adjudicationInput(0, 0));
    const settled = await world.createAdjudicatedClaim();
    const allocations = [{ claim_id: settled.id, paid_amount: 300_000 }];
    const remittance = await world.client.remittances.create(world.remittanceInput(allocations));
    await world.client.settlements.create(world.settlementInput(remittance.id));
    for (const [number, { id }] of [denied, settled].entries()) await copy(id, number);
    valuation_at = new Date().toISOString();
  }, 180_000);

  /**
   * Inserts copies of a claim, with its facts and portfolio deltas, in earlier months. The claim's status is final, so no sweep starts a
   * workflow for a copy.
   */
  async function copy(claimId: string, number: number): Promise<void> {
    const copies = `(select n, 'clm_' || lpad(to_hex(n * 2 + ${number}), 32, '0') as id,
      make_interval(days => 30 * (1 + n % ${MONTHS - 1})::integer) as age from generate_series(1, ${COPIES}) n) made`;
    const moved = (table: string, instants: readonly string[], texts: string) =>
      `jsonb_populate_record(${table}, jsonb_build_object(${texts}, ${instants
        .map((name) => `'${name}', ${table}.${name} - made.age`)
        .join(', ')}))`;
    await query(
      `insert into claims.claims select row.* from claims.claims claim, ${copies}, ${moved(
        'claim',
        [
          'service_starts_at',
          'service_ends_at',
          'last_recorded_at',
          'last_effective_at',
          'created_at',
          'submitted_at',
        ],
        "'id', made.id, 'session_id', 'ses_' || made.id, 'provider_claim_reference', made.id, 'provider_claim_reference_key', made.id",
      )} row where claim.id = $1`,
      [claimId],
    );
    const columns =
      'claim_id, sequence, type, cause, authority_digest, effective_at, recorded_at, previous_status, next_status, reason_code, evidence_references, detail';
    await query(
      `insert into claims.facts (${columns}) select ${columns.replaceAll(/(\w+)/g, 'row.$1')}
       from claims.facts fact, ${copies}, ${moved('fact', ['effective_at', 'recorded_at'], "'claim_id', made.id")} row
       where fact.claim_id = $1`,
      [claimId],
    );
    await query(
      `insert into claims.portfolio_deltas select row.* from claims.portfolio_deltas delta, ${copies},
       ${moved('delta', ['effective_at', 'recorded_at'], "'claim_id', made.id")} row where delta.claim_id = $1`,
      [claimId],
    );
  }

  /** Deletes the portfolio roll-ups, so that the next valuation run creates them again. */
  async function deleteRollUps(): Promise<void> {
    await query('delete from claims.portfolio_rollup_states');
    await query('delete from claims.portfolio_rollups');
    await query('delete from claims.receivable_rollups');
  }

  test(
    'a run whose process is killed at a random time has the same result as an undisturbed run',
    async () => {
      const requests: ValuationRunInput[] = [
        { valuation_at, kind: 'totals', group_by: ['status', 'service_month', 'submission_month'] },
        {
          valuation_at,
          kind: 'development',
          development: {
            origin: 'service_month',
            step: 'month',
            measures: ['claim_count', 'settled', 'outstanding'],
          },
        },
      ];
      const undisturbed: { run: ValuationRun; ms: number }[] = [];
      for (const request of requests) {
        await deleteRollUps();
        const startedAt = performance.now();
        const run = await ended((await create(request)).id);
        undisturbed.push({ run, ms: performance.now() - startedAt });
      }
      let interrupted = 0;
      for (let round = 0; round < KILLED_RUNS; round += 1) {
        const [request, expected] = [requests[round % 2], undisturbed[round % 2]];
        if (request === undefined || expected === undefined) throw new Error('there are two requests');
        await deleteRollUps();
        const { id } = await create(request);
        // The delay before the kill grows from round to round, up to the duration of an undisturbed run, so that each step of a run is
        // interrupted.
        await sleep((expected.ms * (round + Math.random())) / KILLED_RUNS);
        const start = await kill(round);
        const [row] = await query('select status from claims.valuation_runs where id = $1', [id]);
        if (row?.status === 'pending') interrupted += 1;
        await start();
        const { result_sha256, groups, triangle, totals } = await ended(id);
        const { run } = expected;
        expect(result_sha256).toBe(run.result_sha256);
        expect({ groups, triangle, totals }).toEqual({
          groups: run.groups,
          triangle: run.triangle,
          totals: run.totals,
        });
      }
      process.stdout.write(`${interrupted} of ${KILLED_RUNS} runs were interrupted\n`);
      expect(interrupted).toBeGreaterThan(0);
    },
    testSize({ ci: 300_000, soak: 1_800_000 }),
  );

  test('an export whose process is killed is an error for the client, and a repeated one has the same bytes', async () => {
    const { id } = await ended((await create({ valuation_at, kind: 'totals' })).id);
    /**
     * Downloads the file of the run's claims in the format `accept`. Calls `onStart` when the response has started, before its body is
     * read.
     */
    const read = async (accept: string, onStart?: () => Promise<unknown>): Promise<string> => {
      const { file } = running.stack;
      const response = await fetch(`${file.base_url}/valuation_runs/${id}/claims`, {
        headers: { authorization: `Bearer ${file.secret_key}`, accept },
        dispatcher: running.clients.agent,
      } as RequestInit);
      expect(response.status).toBe(200);
      await onStart?.();
      return createHash('sha256')
        .update(new Uint8Array(await response.arrayBuffer()))
        .digest('hex');
    };
    for (const format of FORMATS) {
      const whole = await read(format);
      let start: (() => Promise<unknown>) | undefined;
      await expect(
        read(format, async () => {
          start = await kill(2);
        }),
      ).rejects.toThrow();
      await start?.();
      const repeated = await eventually('the file is read again', () =>
        read(format).catch((error: unknown) => {
          if (isInterruption(error) || error instanceof TypeError) return undefined;
          throw error;
        }),
      );
      expect(repeated).toBe(whole);
    }
  }, 180_000);
});
