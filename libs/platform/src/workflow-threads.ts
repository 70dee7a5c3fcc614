/**
 * A worker whose workflows run in Carecover's own thread (workflow-thread.cjs). For each call into the workflow sandbox, Temporal's SDK
 * starts a thread that interrupts the call after five seconds. Starting these threads takes a third of a workflow task's processor time.
 * This worker instead has one timer per request to its workflow thread. If a request takes longer than five seconds, the timer ends the
 * workflow thread, and the worker fails and starts again. From then on the process uses the SDK's threads, which interrupt only the
 * workflow that does not return.
 */
import { Worker as Thread } from 'node:worker_threads';
import { Worker } from '@temporalio/worker';
import { ThreadedVMWorkflowCreator, WorkerThreadClient } from '@temporalio/worker/lib/workflow/threaded-vm';

const THREAD = require.resolve('../workflow-thread.cjs');
/** Maximum time in milliseconds of one execution of workflow code. Correct code takes less, also on a busy machine. */
const EXECUTION_LIMIT_MS = 5_000;

/** Whether a call of workflow code in this process has exceeded the limit. */
let hasExceededLimit = false;

/** The timeout that is passed to the SDK: none, because Node.js starts a thread for each call that has a timeout. */
const NO_TIMEOUT = undefined as unknown as number;

class WatchedThread extends WorkerThreadClient {
  override async send(...[input]: Parameters<WorkerThreadClient['send']>) {
    const timer = setTimeout(() => {
      hasExceededLimit = true;
      this.logger.error('workflow code did not return in time; the workflow thread is ended', {
        request: input.type,
        ...('runId' in input ? { runId: input.runId } : {}),
      });
      void this.workerThread.terminate();
    }, EXECUTION_LIMIT_MS);
    try {
      return await super.send(input);
    } finally {
      clearTimeout(timer);
    }
  }
}

export class WorkflowWorker extends Worker {
  protected static override async createWorkflowCreator(
    ...[workflowBundle, options, logger]: Parameters<(typeof Worker)['createWorkflowCreator']>
  ): ReturnType<(typeof Worker)['createWorkflowCreator']> {
    // For a debugger, the SDK runs workflows in the main thread and without a limit.
    // biome-ignore lint/complexity/noThisInStatic: the SDK's way is a protected method of its class
    if (options.debugMode) return super.createWorkflowCreator(workflowBundle, options, logger);
    const isWatchedHere = !hasExceededLimit;
    const thread = new (isWatchedHere ? WatchedThread : WorkerThreadClient)(new Thread(THREAD), logger);
    await thread.send({
      type: 'init',
      workflowBundle,
      isolateExecutionTimeoutMs: isWatchedHere ? NO_TIMEOUT : options.isolateExecutionTimeoutMs,
      registeredActivityNames: new Set(options.activities.keys()),
      reuseV8Context: true,
      hasPatchActivationCallback: false,
    });
    return new ThreadedVMWorkflowCreator([thread]);
  }
}
