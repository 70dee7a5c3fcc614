/**
 * Resource workflows: one workflow per resource, whose ID is the resource's ID. The workflow first reads the facts, so it can be started
 * at any time. A service defines its workflow once; all code that starts, signals or queries the workflow uses the definition.
 */

import type { OwnedResource } from '@carecover/domain';
import { ENVIRONMENT, PROJECT_ID } from '@carecover/setup/search-attributes';
import type { Log } from '@carecover/telemetry';
import type { WorkflowStartOptions } from '@temporalio/client';
import type { ResourceWorkflowInput } from './workflow/changes';

/** The definition of a resource's workflow. */
export interface ResourceWorkflow {
  /** Name of the workflow's function, which is its type in Temporal. */
  readonly type: string;
  readonly taskQueue: string;
  /** Returns the text that the Temporal UI shows as the summary of the resource's workflow. */
  readonly summaryOf: (resource: OwnedResource) => string;
}

/** Returns the options with which Temporal starts the resource's workflow. */
export function startOptionsOf(workflow: ResourceWorkflow, resource: OwnedResource) {
  const { id, tenant, environment } = resource;
  const input: ResourceWorkflowInput = { resourceId: id, tenant, environment };
  return {
    workflowId: id,
    taskQueue: workflow.taskQueue,
    args: [input],
    typedSearchAttributes: [
      { key: ENVIRONMENT, value: environment },
      { key: PROJECT_ID, value: tenant },
    ],
    staticSummary: workflow.summaryOf(resource),
  } satisfies WorkflowStartOptions;
}

/**
 * Maximum time in milliseconds for which one pass starts missing workflows. After this time the pass ends, so that the other sweeps run.
 */
const PASS_MS = 3_000;

/**
 * Makes a sweep that starts missing workflows of open resources, such as after a restore. A pass checks one page of resources, cyclically,
 * so that many open resources cost an idle process little. While it finds missing workflows, the pass continues with the next pages for at
 * most {@link PASS_MS}, and the next pass starts soon after.
 *
 * @param limit a few hundred at most
 * @param readPage reads at most `limit` open resources, of all tenants, whose IDs are higher than `afterId`, in the order of their IDs
 * @param startMissing starts the workflows that do not run, or enqueues their starts; resolves to their number, or to null if Temporal is
 *   unavailable
 * @returns the pass, which returns whether the next one should start soon; it throws the errors of `readPage` and `startMissing`
 */
export function startMissingWorkflows(
  limit: number,
  readPage: (afterId: string, limit: number) => Promise<readonly OwnedResource[]>,
  startMissing: (page: readonly OwnedResource[]) => Promise<number | null>,
  log: Log,
): () => Promise<boolean> {
  let afterId = '';
  return async () => {
    let total = 0;
    const endMs = performance.now() + PASS_MS;
    for (;;) {
      const page = await readPage(afterId, limit);
      const before = afterId;
      // `afterId` is advanced before the workflows are started: if Temporal rejects a start, the next pass still reads the next page.
      afterId = page.length < limit ? '' : (page.at(-1)?.id ?? '');
      const started = await startMissing(page);
      if (started === null) afterId = before;
      total += started ?? 0;
      const isComplete = started === null || started === 0 || afterId === '';
      if (!isComplete && performance.now() < endMs) continue;
      if (total > 0)
        log.info({ started: total, up_to: page.at(-1)?.id }, 'workflows that did not run were started');
      return !isComplete;
    }
  };
}
