/** Lists the running workflows of a stack. */
import type { RunningWorld } from '@carecover/testing/stack';
import { Client, Connection } from '@temporalio/client';

/** Returns the IDs of the running workflows, from Temporal's list of workflows. */
export async function listRunningWorkflows({ stack }: RunningWorld): Promise<Set<string>> {
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
