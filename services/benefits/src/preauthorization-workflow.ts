/** How the pre-authorization's workflow is started and found; its id is the pre-authorization's. */
import type { Engine, Log, ResourceWorkflow } from '@carecover/platform';
import { ENVIRONMENT, PROJECT_ID } from '@carecover/platform/workflow';
import type { PreauthorizationInput } from '@carecover/workflow-preauthorization';

export interface WorkflowOf {
  readonly id: string;
  readonly project_id: string;
  readonly environment: 'sandbox' | 'production';
}

export const TASK_QUEUE = 'benefits';

export function preauthorizationWorkflow(of: WorkflowOf): ResourceWorkflow {
  const input: PreauthorizationInput = {
    resourceId: of.id,
    tenant: of.project_id,
    environment: of.environment,
  };
  return {
    type: 'preauthorization',
    taskQueue: TASK_QUEUE,
    args: [input],
    typedSearchAttributes: [
      { key: ENVIRONMENT, value: of.environment },
      { key: PROJECT_ID, value: of.project_id },
    ],
    staticSummary: 'A pre-authorization: waits for its decision, then for its use or its end',
  };
}

/** The workflow's update that carries out each operation, for whoever sends a command again. */
export const UPDATE_OF_OPERATION: Readonly<Record<string, string>> = {
  decidePreauthorization: 'decide',
  cancelPreauthorization: 'cancel',
  expirePreauthorization: 'expire',
};

/**
 * Tells workflows what they need not wait for. Failure policy: open; what can't be told now, the sweep and the workflow's own
 * timer find later.
 */
export class Workflows {
  constructor(
    private readonly engine: Engine,
    private readonly log: Log,
  ) {}

  /** Starts the workflow of a new pre-authorization without keeping its caller waiting. */
  start(of: WorkflowOf): void {
    this.engine
      .ensureRunning(of.id, preauthorizationWorkflow(of))
      .catch((error: unknown) =>
        this.log.warn({ err: error, id: of.id }, 'workflow not started, the sweep will'),
      );
  }

  /** Has the workflow look at the facts again. False where the engine is away. */
  wake(of: WorkflowOf): Promise<boolean> {
    return this.engine.poke(of.id, preauthorizationWorkflow(of), 'wake');
  }

  /** As {@link wake}, without keeping the caller waiting. */
  wakeSoon(of: WorkflowOf): void {
    this.wake(of).catch((error: unknown) =>
      this.log.warn({ err: error, id: of.id }, 'workflow not told, its timer finds out'),
    );
  }
}
