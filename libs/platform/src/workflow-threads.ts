/**
 * A worker whose workflows run in Carecover's own thread (workflow-thread.cjs). For each call into the workflow sandbox, Temporal's SDK
 * starts a thread that interrupts the call after five seconds. Starting these threads takes a third of a workflow task's processor time.
 * This worker instead watches the request that its workflow thread executes. If the request takes longer than five seconds, the workflow
 * thread is ended, and the worker fails and starts again. From then on the process uses the SDK's threads, which interrupt only the
 * workflow that does not return.
 */
import { Worker as Thread } from 'node:worker_threads';
import { Worker, type WorkerOptions } from '@temporalio/worker';
import { ThreadedVMWorkflowCreator, WorkerThreadClient } from '@temporalio/worker/lib/workflow/threaded-vm';

const THREAD = require.resolve('../workflow-thread.cjs');
/** Maximum time in seconds of one execution of workflow code. Correct code takes less, also on a busy machine. */
const EXECUTION_LIMIT_SECONDS = 5;

/** Whether a call of workflow code in this process has exceeded the limit. */
let hasExceededLimit = false;

/** The timeout that is passed to the SDK: none, because Node.js starts a thread for each call that has a timeout. */
const NO_TIMEOUT = undefined as unknown as number;

type Send = WorkerThreadClient['send'];
type Input = Parameters<Send>[0];

/** A workflow thread that is ended if an execution of workflow code does not return in time. */
export class WatchedThread extends WorkerThreadClient {
  /** The requests without a response. The thread executes them one after the other, in this order. */
  private readonly pending = new Set<{ readonly input: Input }>();
  private timer: NodeJS.Timeout | undefined;

  override async send(...[input]: Parameters<Send>): ReturnType<Send> {
    // The request that loads the workflow bundle executes no workflow.
    if (input.type === 'init') return await super.send(input);
    const request = { input };
    this.pending.add(request);
    if (this.executing === request) this.watch(request, 0);
    try {
      return await super.send(input);
    } finally {
      const wasExecuting = this.executing === request;
      this.pending.delete(request);
      if (wasExecuting) {
        clearTimeout(this.timer);
        const next = this.executing;
        if (next !== undefined) this.watch(next, 0);
      }
    }
  }

  private get executing(): { readonly input: Input } | undefined {
    return this.pending.values().next().value;
  }

  /** Counts the seconds for which the thread executes a request. A pause of the whole process counts as one. */
  private watch(request: { readonly input: Input }, seconds: number): void {
    if (seconds < EXECUTION_LIMIT_SECONDS) {
      this.timer = setTimeout(() => this.watch(request, seconds + 1), 1_000);
      return;
    }
    hasExceededLimit = true;
    const { input } = request;
    this.logger.error('workflow code did not return in time; the workflow thread is ended', {
      request: input.type,
      ...('runId' in input ? { runId: input.runId } : {}),
    });
    void this.workerThread.terminate();
  }
}

/**
 * Creates a worker whose workflows run in a thread of their own.
 *
 * @throws Error if Temporal rejects the worker, such as because its namespace does not exist. The SDK then leaves the thread running, which
 *   takes 45 MB, and a service tries again every two seconds. This function ends the thread
 */
export async function createWorkflowWorker(workerOptions: WorkerOptions): Promise<Worker> {
  let creator: Awaited<ReturnType<(typeof Worker)['createWorkflowCreator']>> | undefined;
  class WorkflowWorker extends Worker {
    protected static override async createWorkflowCreator(
      ...[workflowBundle, options, logger]: Parameters<(typeof Worker)['createWorkflowCreator']>
    ): ReturnType<(typeof Worker)['createWorkflowCreator']> {
      // For a debugger, the SDK runs workflows in the main thread and without a limit.
      // biome-ignore lint/complexity/noThisInStatic: the SDK's way is a protected method of its class
      if (options.debugMode) return super.createWorkflowCreator(workflowBundle, options, logger);
      const isWatchedHere = !hasExceededLimit;
      const thread = new (isWatchedHere ? WatchedThread : WorkerThreadClient)(new Thread(THREAD), logger);
      creator = new ThreadedVMWorkflowCreator([thread]);
      await thread.send({
        type: 'init',
        workflowBundle,
        isolateExecutionTimeoutMs: isWatchedHere ? NO_TIMEOUT : options.isolateExecutionTimeoutMs,
        registeredActivityNames: new Set(options.activities.keys()),
        reuseV8Context: true,
        hasPatchActivationCallback: false,
      });
      return creator;
    }
  }
  try {
    return await WorkflowWorker.create(workerOptions);
  } catch (error) {
    await creator?.destroy();
    throw error;
  }
}
