/**
 * Valuation runs while eight writers write, the clock is changed, and the processes that execute runs are killed. Two replicas of the
 * worker are stopped and started, and runs of the workflow are terminated at any point. Every run ends, and a repeated computation has the
 * same result.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ValuationRun } from '@carecover/contract';
import { asActivities } from '@carecover/temporal';
import { workflowBundle } from '@carecover/temporal/bundle';
import { eventually, testSize } from '@carecover/testing/servers';
import type { Connection } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { claimSteps, valuationSteps } from './activities';
import { findRun } from './store/valuation-runs';
import { adjudication, Provider } from './testing/provider';
import { startTestClaims, type TestClaims } from './testing/test-claims';
import { realTimeTemporal } from './testing/test-temporal';
import { digestOf, executeValuationRun, resultOf } from './use-cases/value-portfolio';
import { verifyValuationRun } from './use-cases/verify-valuation-run';

const WRITERS = 8;
const ROUNDS = testSize({ ci: 5, soak: 150 });

let claims: TestClaims;
beforeAll(async () => {
  claims = await startTestClaims(realTimeTemporal);
}, 120_000);
afterAll(() => claims.stop());

async function databaseTime(): Promise<number> {
  const [row] = await claims.sql<{ now: Date }[]>`select platform.now() as now`;
  return row?.now.getTime() ?? Number.NaN;
}

/** Starts a second replica of the worker, with a connection of its own. */
async function startReplica(): Promise<{ stop(): Promise<void> }> {
  const { deps, sql, environment } = claims;
  const { address } = (environment.client.connection as Connection).options;
  const connection = await NativeConnection.connect({ address });
  const worker = await Worker.create({
    connection,
    taskQueue: 'claims',
    workflowBundle: { codePath: await workflowBundle('claim', 'valuation') },
    activities: asActivities({ ...claimSteps(deps), ...valuationSteps(sql) }),
  });
  const running = worker.run();
  return {
    async stop() {
      worker.shutdown();
      await running;
      await connection.close();
    },
  };
}

async function write(provider: Provider, number: number): Promise<void> {
  const { id } = await provider.submitted();
  await provider.adjudicate(id, 100_000, 0);
  const at = new Date((await databaseTime()) - number * 97).toISOString();
  if (number % 2 === 0) await provider.ask('adjudicateClaim', id, adjudication(50_000, 50_000));
  await provider.remit(id, 1_000, { receivedAt: at });
  await provider.settle(id, 1_000, { observedAt: at });
}

test(
  'the result of a run is final while writers write, the clock steps and executions are killed',
  async () => {
    const provider = new Provider(claims);
    let isWriting = true;
    const writers = Array.from({ length: WRITERS }, async (_, number) => {
      let written = 0;
      for (; isWriting; written += 1) await write(provider, number + written);
      return written;
    });
    const ids: string[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      await claims.database.setClockOffset(((round * 7_919) % 5_000) - 2_500);
      const replica = await startReplica();
      const at = (await databaseTime()) + (round % 3) * 200;
      const { status, body } = await claims.ask(provider.tenant, 'createValuationRun', {
        body: {
          valuation_at: new Date(at).toISOString(),
          ...(round % 2 === 0
            ? { kind: 'totals', group_by: ['status'] }
            : {
                kind: 'development',
                development: {
                  origin: 'service_month',
                  step: 'month',
                  measures: ['claim_count', 'outstanding'],
                },
              }),
        },
      });
      expect(status).toBe(201);
      ids.push(body.id);
      // In every fourth iteration of the test, the test's process executes the same run concurrently with the worker.
      if (round % 4 === 1)
        await executeValuationRun(claims.sql, { tenant: provider.tenant, resourceId: body.id });
      await sleep(round * 7);
      if (round % 3 !== 2)
        await claims.environment.client.workflow
          .getHandle(body.id)
          .terminate('killed')
          // The termination fails if the run's workflow has not started or has ended.
          .catch(() => undefined);
      await replica.stop();
    }
    isWriting = false;
    expect(Math.min(...(await Promise.all(writers)))).toBeGreaterThan(0);
    await claims.database.setClockOffset(60_000);
    const sweep = claims.sweeps.find(({ name }) => name === 'valuation runs without a workflow');
    for (const id of ids) {
      await eventually('the run ends', async () => {
        await sweep?.run();
        const { body }: { body: ValuationRun } = await claims.ask(provider.tenant, 'getValuationRun', {
          params: { valuation_run_id: id },
        });
        return body.status === 'ready';
      });
      const row = await findRun(claims.sql, provider.tenant, id);
      if (row === null) throw new Error(`${id} does not exist`);
      expect(digestOf(await resultOf(claims.sql, row))).toBe(row.result_sha256);
      expect((await verifyValuationRun(claims.sql, row, null)).differences).toEqual([]);
    }
  },
  testSize({ ci: 180_000, soak: 3_600_000 }),
);
