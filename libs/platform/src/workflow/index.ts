/**
 * Shared code of workflows, imported as `@carecover/platform/workflow`. It is deterministic and uses no Node.js API, because it runs in
 * the workflow sandbox.
 */
import type { Environment } from '@carecover/contract';
import { ApplicationFailure } from '@temporalio/common';
import { condition, setWorkflowOptions, workflowInfo } from '@temporalio/workflow';
import { API_ERROR_FAILURE, COMMAND_GONE_FAILURE } from './failures';

export * from '@carecover/setup/search-attributes';
export * from './failures';
export * from './run-details';
export * from './summarized';

/**
 * The argument of every command's Update: the ID of the command row, and what operators see in the Temporal UI. The command's body is only
 * in the command row.
 */
export interface CommandMessage {
  readonly commandId: string;
  /** Who sent the command: `project:…/key:…`, `operator:…` or `service:…`. */
  readonly authority: string;
  readonly requestId: string;
}

/** The input of a resource's workflow. The workflow reads all other values from the resource's facts. */
export interface ResourceWorkflowInput {
  /** The ID of the resource. The workflow has the same ID. */
  readonly resourceId: string;
  readonly tenant: string;
  readonly environment: Environment;
  /** Number of history events after which the run continues as new, if the server does not suggest it earlier. For tests. */
  readonly historyLimit?: number;
}

/** Finds an API error or a CommandGone failure among an error's causes. Returns null if there is neither. */
export function apiErrorIn(error: unknown): ApplicationFailure | null {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (!(cause instanceof ApplicationFailure)) continue;
    if (cause.type === API_ERROR_FAILURE || cause.type === COMMAND_GONE_FAILURE) return cause;
  }
  return null;
}

/** Runs the handlers of one workflow one at a time, in the order of their arrival. */
export class Mutex {
  private tail = 0;
  private serving = 0;

  /** Runs `work` after all earlier work has succeeded or failed. */
  async take<T>(work: () => Promise<T>): Promise<T> {
    const position = this.tail++;
    await condition(() => this.serving === position);
    try {
      return await work();
    } finally {
      this.serving += 1;
    }
  }

  /** Whether no handler runs or waits. */
  get idle(): boolean {
    return this.tail === this.serving;
  }
}

/**
 * Makes the runs of a short workflow end on the release on which they started. Without effect if the worker has no release, as in tests:
 * Temporal's time-skipping test server loses pinned runs of a worker without a release.
 */
export function pinToRelease<Input>(workflow: (input: Input) => Promise<unknown>): void {
  // A worker has a release only if its version has a deployment name. Temporal's SDK also gives a worker without a release a version.
  const isVersioned = () => (workflowInfo().currentDeploymentVersion?.deploymentName ?? '') !== '';
  setWorkflowOptions(() => (isVersioned() ? { versioningBehavior: 'PINNED' } : {}), workflow);
}
