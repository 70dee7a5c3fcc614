/** Which workflows run, as the engine itself lists them. */
import type { RunningWorld } from '@carecover/test-support';
import { Client, Connection } from '@temporalio/client';

/** Their ids. */
export async function runningWorkflows({ stack }: RunningWorld): Promise<Set<string>> {
  const connection = await Connection.connect({ address: stack.file.temporal_address });
  try {
    const ids = new Set<string>();
    const { workflow } = new Client({ connection });
    for await (const { workflowId } of workflow.list({ query: "ExecutionStatus = 'Running'" }))
      ids.add(workflowId);
    return ids;
  } finally {
    await connection.close();
  }
}
