/** The worker of the bare workflows and their local activities. */
import { createLog, installRuntime } from '@carecover/platform';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { runBareProcess } from '../harness/bare-process';
import { Replay, type ReplaySettings } from '../recording/replay';
import type { BareActivities } from './bare-claim';
import { BARE_CLAIMS, barePreauthorizationOf, USED_SIGNAL } from './bare-names';

export interface BareWorkerSettings {
  readonly temporalAddress: string;
  readonly replay: ReplaySettings;
}

runBareProcess(async ({ temporalAddress, replay: settings }: BareWorkerSettings) => {
  installRuntime(createLog('bench', 'error'));
  const replay = new Replay(settings);
  const client = new Client({ connection: await Connection.connect({ address: temporalAddress }) });
  const activities: BareActivities = {
    async playStep(of, { name, learnedBy }) {
      await replay.playStep(name, of.instance, of.seed);
      if (learnedBy === undefined) return;
      await client.workflow.signalWithStart('barePreauthorization', {
        ...barePreauthorizationOf(of, learnedBy),
        signal: USED_SIGNAL,
      });
    },
  };
  const connection = await NativeConnection.connect({ address: temporalAddress });
  const worker = await Worker.create({
    connection,
    namespace: 'default',
    activities,
    taskQueue: BARE_CLAIMS,
    workflowsPath: require.resolve('./bare-claim'),
    maxConcurrentLocalActivityExecutions: 64,
  });
  void worker.run();
  return {};
});
