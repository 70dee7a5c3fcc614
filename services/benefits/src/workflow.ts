/** How Temporal starts and addresses a pre-authorization's workflow: its ID is the pre-authorization's ID. */
import type { OperationId } from '@carecover/contract';
import type { Log, Owner, ResourceWorkflow, ReviewedWorkflows, TemporalCommands } from '@carecover/platform';
import { ENVIRONMENT, PROJECT_ID } from '@carecover/platform/workflow';
import type { PreauthorizationWorkflowInput } from '@carecover/workflow-preauthorization';
import { findWaiting, type PreauthorizationRow } from './store/preauthorizations';

/** The Update that executes each operation. */
export const updateOf = {
  decidePreauthorization: 'decide',
  cancelPreauthorization: 'cancel',
  expirePreauthorization: 'expire',
} as const satisfies Partial<Record<OperationId, string>>;

export type PreauthorizationCommand = keyof typeof updateOf;

/** Returns whether the operation is executed by a pre-authorization's workflow. */
export function isPreauthorizationCommand(operation: string): operation is PreauthorizationCommand {
  return Object.hasOwn(updateOf, operation);
}

/** Options with which a pre-authorization's workflow is started. */
export function workflowOf(preauthorizationId: string, { tenant, environment }: Owner): ResourceWorkflow {
  const input: PreauthorizationWorkflowInput = { resourceId: preauthorizationId, tenant, environment };
  return {
    type: 'preauthorization',
    taskQueue: 'benefits',
    args: [input],
    typedSearchAttributes: [
      { key: ENVIRONMENT, value: environment },
      { key: PROJECT_ID, value: tenant },
    ],
    staticSummary: 'A pre-authorization: waits for its decision, then for its use or its end',
  };
}

/** The signal for workflows of pre-authorizations that claims released. */
export const reviewedWorkflows: ReviewedWorkflows = { signal: 'wake', workflowOf, findWaiting };

/** Starts workflows after a commit without waiting for Temporal. Failure policy: a sweep starts a workflow that could not be started. */
export class Workflows {
  constructor(
    private readonly engine: TemporalCommands,
    private readonly log: Log,
  ) {}

  /** Starts the workflow of a new pre-authorization. */
  start({ id, project_id: tenant, environment }: PreauthorizationRow): void {
    this.engine
      .ensureRunning(id, workflowOf(id, { tenant, environment }))
      .catch((error: unknown) =>
        this.log.warn({ err: error, id }, 'workflow not started; a sweep will start it'),
      );
  }
}
