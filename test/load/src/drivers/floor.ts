/** A driver that sends Updates to workflows that have no other work. Each Update goes to a separate workflow. */
import { randomUUID } from 'node:crypto';
import { Client, Connection, WithStartWorkflowOperation } from '@temporalio/client';
import type { OpenLoad } from '../harness/driver';
import { createInParallel } from '../harness/in-parallel';

interface FloorOptions {
  readonly temporalAddress: string;
  readonly taskQueue: string;
  readonly count: number;
  /** Whether each Update starts its workflow. Otherwise the workflows are started before the measurement, with one Update each. */
  readonly startsWorkflow: boolean;
}

export const open: OpenLoad<FloorOptions> = async (options) => {
  const { temporalAddress, taskQueue, count, startsWorkflow } = options;
  const connection = await Connection.connect({ address: temporalAddress });
  const { workflow } = new Client({ connection });
  const ids = Array.from({ length: count }, () => `floor-${randomUUID()}`);
  const start = (number: number) =>
    workflow.executeUpdateWithStart('command', {
      startWorkflowOperation: new WithStartWorkflowOperation('floor', {
        taskQueue,
        workflowId: ids[number] ?? '',
        workflowIdConflictPolicy: 'USE_EXISTING',
      }),
    });
  const update = (number: number) => workflow.getHandle(ids[number] ?? '').executeUpdate('command');
  if (!startsWorkflow) await createInParallel(count, start);
  return {
    size: count,
    shoot: async (number) => {
      await (startsWorkflow ? start : update)(number);
    },
    close: () => connection.close(),
  };
};
