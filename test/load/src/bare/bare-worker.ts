/** The worker of the bare claims: one queue for the workflow with its local activities, one that stands for the other services. */
import { createLog, installRuntime } from '@carecover/platform';
import { NativeConnection, Worker } from '@temporalio/worker';
import { bareMain } from '../harness/bare-process';
import { Replay, type ReplaySettings } from '../recording/replay';
import { ELSEWHERE } from './bare-claim';

export interface BareWorkerSettings {
  readonly temporalAddress: string;
  readonly replay: ReplaySettings;
}

const QUEUE = 'bench-claims';

bareMain(async ({ temporalAddress, replay: settings }: BareWorkerSettings) => {
  installRuntime(createLog('bench', 'error'));
  const replay = new Replay(settings);
  const playStep = async (...step: Parameters<Replay['playStep']>) => {
    await replay.playStep(...step);
  };
  const connection = await NativeConnection.connect({ address: temporalAddress });
  const shared = { connection, namespace: 'default', activities: { playStep } };
  const workers = await Promise.all([
    Worker.create({
      ...shared,
      taskQueue: QUEUE,
      workflowsPath: require.resolve('./bare-claim'),
      maxConcurrentLocalActivityExecutions: 20,
    }),
    Worker.create({ ...shared, taskQueue: ELSEWHERE, maxConcurrentActivityTaskExecutions: 20 }),
  ]);
  for (const worker of workers) void worker.run();
  return {};
});
