/** The worker of the bare claims: one queue for the workflows with their local activities, one that stands for the other services. */
import { createLog, installRuntime } from '@carecover/platform';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { bareMain } from '../harness/bare-process';
import { Replay, type ReplaySettings } from '../recording/replay';
import type { BareActivities } from './bare-claim';
import { BARE_CLAIMS, barePreauthorizationOf, ELSEWHERE, WAKE } from './bare-names';

export interface BareWorkerSettings {
  readonly temporalAddress: string;
  readonly replay: ReplaySettings;
}

bareMain(async ({ temporalAddress, replay: settings }: BareWorkerSettings) => {
  installRuntime(createLog('bench', 'error'));
  const replay = new Replay(settings);
  const client = new Client({ connection: await Connection.connect({ address: temporalAddress }) });
  const activities: BareActivities = {
    async playStep(of, { name, learnedBy }) {
      await replay.playStep(name, of.instance, of.seed);
      if (learnedBy === undefined) return;
      await client.workflow.signalWithStart('barePreauthorization', {
        ...barePreauthorizationOf(of, learnedBy),
        signal: WAKE,
      });
    },
  };
  const connection = await NativeConnection.connect({ address: temporalAddress });
  const shared = { connection, namespace: 'default', activities };
  const workers = await Promise.all([
    Worker.create({
      ...shared,
      taskQueue: BARE_CLAIMS,
      workflowsPath: require.resolve('./bare-claim'),
      maxConcurrentLocalActivityExecutions: 20,
    }),
    Worker.create({ ...shared, taskQueue: ELSEWHERE, maxConcurrentActivityTaskExecutions: 20 }),
  ]);
  for (const worker of workers) void worker.run();
  return {};
});
