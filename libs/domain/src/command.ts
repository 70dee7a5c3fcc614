/** A command as its service stores it: the input of rules and steps. */
import type { OperationId } from '@carecover/contract';
import type { Caller } from './tenant';

/** A pending command, with the values that the deciding transaction reads. */
export interface Command {
  readonly id: string;
  readonly operation: OperationId;
  readonly resourceId: string;
  readonly caller: Caller;
  readonly body: unknown;
}
