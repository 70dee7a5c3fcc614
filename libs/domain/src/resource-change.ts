/** A change of a resource, as its workflow receives it by a signal. */

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
