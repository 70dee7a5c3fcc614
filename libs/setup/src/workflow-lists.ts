/**
 * Reads Temporal's list of workflows (visibility), and checks what it says.
 *
 * The list is eventually consistent: a deleted run is listed for some seconds more, and a run whose history a restore has lost is listed as
 * running for ever. So code that waits for the list to change needs a limit, and the state of a run is what {@link isRunning} returns.
 *
 * Failure policy: closed. Each request has a deadline, after which it fails with Temporal's error.
 */
import { type Client, type WorkflowExecutionInfo, WorkflowNotFoundError } from '@temporalio/client';

/** The number of runs per page of the list. */
const PAGE = 200;
/** The default deadline of a request, short enough for a sweep, which other sweeps wait for. */
const REQUEST_MS = 3_000;

/** Sends a request with a deadline. @param limitMs the time in milliseconds after which the request fails */
export function withinDeadline<T>(
  client: Client,
  send: () => Promise<T>,
  limitMs: number = REQUEST_MS,
): Promise<T> {
  return client.withDeadline(Date.now() + limitMs, send);
}

/**
 * Lists the runs that fulfil a query, by pages of a few hundred. Each page has a deadline of its own, so the reader can wait between two
 * pages.
 *
 * @throws the error with which Temporal rejects a request, or which says that Temporal is unavailable
 */
export async function* listPages(
  client: Client,
  query: string,
): AsyncGenerator<WorkflowExecutionInfo[], void> {
  const found = client.workflow.list({ query, pageSize: PAGE })[Symbol.asyncIterator]();
  for (let isLast = false; !isLast; ) {
    const page: WorkflowExecutionInfo[] = [];
    await withinDeadline(client, async () => {
      while (page.length < PAGE && !isLast) {
        const next = await found.next();
        if (next.done === true) isLast = true;
        else page.push(next.value);
      }
    });
    if (page.length > 0) yield page;
  }
}

/**
 * Returns whether a workflow has an open run, by Temporal's description of the run. A paused run is open.
 *
 * @param runId the run; by default, the workflow's newest one
 * @throws the error with which Temporal rejects the request, or which says that Temporal is unavailable
 */
export async function isRunning(client: Client, workflowId: string, runId?: string): Promise<boolean> {
  try {
    const { status } = await withinDeadline(client, () =>
      client.workflow.getHandle(workflowId, runId).describe(),
    );
    return status.name === 'RUNNING' || status.name === 'PAUSED';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}
