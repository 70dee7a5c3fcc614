/**
 * Resource workflows: one workflow per resource, whose ID is the resource's ID. The workflow first reads the facts, so it can be started
 * at any time. A service defines its workflow once; everything that addresses the workflow uses the definition.
 */
import { ENVIRONMENT, PROJECT_ID } from '@carecover/setup/search-attributes';
import type { WorkflowStartOptions } from '@temporalio/client';
import type { OwnedResource } from './tenant';
import type { ResourceWorkflowInput } from './workflow';

/** The definition of a resource's workflow. */
export interface ResourceWorkflow {
  /** Name of the workflow's function. */
  readonly type: string;
  readonly taskQueue: string;
  /** Names of the Updates that execute commands, by operation. */
  readonly updates: Readonly<Record<string, string>>;
  /** Name of the Temporal signal after which the workflow reads the facts again. */
  readonly signal: string;
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
 * Makes a sweep that starts missing workflows of open resources, such as after a restore: one page of resources per pass, cyclically.
 *
 * @param limit a few hundred at most
 * @param readPage reads at most `limit` open resources of all tenants with higher IDs, in the order of their IDs
 * @param ensureAllRunning starts the workflows that do not run; resolves to false if Temporal is unavailable
 * @returns the pass, which returns whether there is a further page; it throws the error of `ensureAllRunning`
 */
export function startMissingWorkflows(
  limit: number,
  readPage: (afterId: string, limit: number) => Promise<readonly OwnedResource[]>,
  ensureAllRunning: (page: readonly OwnedResource[]) => Promise<boolean>,
): () => Promise<boolean> {
  let afterId = '';
  return async () => {
    const page = await readPage(afterId, limit);
    const before = afterId;
    // The position advances also if Temporal rejects one of the starts, so that the next pass reads the next page.
    afterId = page.length < limit ? '' : (page.at(-1)?.id ?? '');
    if (!(await ensureAllRunning(page))) afterId = before;
    return afterId !== '';
  };
}
