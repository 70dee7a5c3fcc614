/** The Temporal worker that runs the workflows of floor-workflow.ts, which measure the minimal cost of a command in Temporal. */
import { createLog, installRuntime } from '@carecover/platform';
import { NativeConnection, Worker } from '@temporalio/worker';
import { runBareProcess } from '../harness/bare-process';
import type { FloorActivities } from './floor-workflow';

interface FloorWorkerSettings {
  readonly temporalAddress: string;
  readonly taskQueue: string;
}

runBareProcess(async ({ temporalAddress, taskQueue }: FloorWorkerSettings) => {
  installRuntime(createLog('bench', 'error'));
  const activities: FloorActivities = { doNothing: async () => undefined };
  const connection = await NativeConnection.connect({ address: temporalAddress });
  const worker = await Worker.create({
    connection,
    namespace: 'default',
    activities,
    taskQueue,
    workflowsPath: require.resolve('./floor-workflow'),
    maxConcurrentLocalActivityExecutions: 64,
  });
  void worker.run();
  return {};
});
