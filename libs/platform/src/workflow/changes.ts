/** What a resource's workflow receives: its input, and the changes of its resource. */
import type { Environment } from '@carecover/contract';

/** The Temporal signal that a resource changed. Its argument is a list of {@link ResourceChange}. */
export const CHANGED = 'changed';

/** A change of a resource, as operators see it in the history of the resource's workflow. It contains no member reference. */
export interface ResourceChange {
  /** What happened, such as `adjudicated`. */
  readonly what: string;
  /** When the change was recorded, ISO 8601 UTC. */
  readonly at: string;
  /** Who sent the command: `project:…/key:…`, `operator:…` or `service:…`. */
  readonly actor: string;
  /** The ID of the request; null if no request caused the change. */
  readonly requestId: string | null;
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
