/** Who calls tools: a key or a token of one project, or a person who can use several projects. */
import type { OperationId } from '@carecover/contract';
import type { ConfirmedWrites } from './confirmation';
import type { OperationCaller } from './operation-call';

/**
 * No operation of a tool starts after this time in milliseconds. An operation takes at most 25 seconds, so a client, which waits at least 60,
 * gets a response.
 */
export const LAST_START_MS = 20_000;

/** A caller in one project, and how the operations of its tools are executed. */
export interface McpCaller extends OperationCaller {
  readonly scopes: readonly string[];
  /** The writes that the project permits; null: none. */
  readonly writes: ConfirmedWrites | null;
}

/** A project, as a model needs it to choose one. */
interface ListedProject {
  readonly id: string;
  readonly name: string;
}

/** A caller who can use several projects. */
export interface PersonCaller {
  /** Whether the person's roles permit an operation. They are the same in every project. */
  readonly permits: (operation: OperationId) => boolean;
  /**
   * Lists the projects, newest first.
   *
   * @param after the ID of the last project of the previous page
   */
  readonly projects: (
    limit: number,
    after: string | null,
  ) => Promise<{ readonly data: readonly ListedProject[]; readonly has_more: boolean }>;
  /** Returns the caller in a project. @throws ToolError resource_not_found */
  readonly inProject: (id: string) => Promise<McpCaller>;
}

export type AnyCaller = McpCaller | PersonCaller;

export function isPerson(caller: AnyCaller): caller is PersonCaller {
  return 'inProject' in caller;
}
