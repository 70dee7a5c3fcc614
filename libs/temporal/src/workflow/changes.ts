/** What a resource's workflow receives: its input, and the changes of its resource. */
import type { Environment } from '@carecover/contract';

/** The Temporal signal that a resource changed. Its argument is a list of {@link ResourceChange}. */
export const CHANGED = 'changed';

/** The input of a resource's workflow. The workflow reads all other values from the resource's facts. */
export interface ResourceWorkflowInput {
  /** The ID of the resource. The workflow has the same ID. */
  readonly resourceId: string;
  readonly tenant: string;
  readonly environment: Environment;
  /** Number of history events after which the run continues as new, if the server does not suggest it earlier. For tests. */
  readonly historyLimit?: number;
}
