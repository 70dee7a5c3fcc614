/**
 * The order of commands on one resource. A command with several steps marks its resource with a pending step. A command that finds the
 * pending step of another one finishes that one first, by the same function that its own request executes.
 */
import { isRejection } from '../api-error';
import type { Sql } from '../postgres';
import type { Tenant } from '../tenant';
import { type Executors, repeatUntilDeadline } from './execute';
import { readCommand, StartAgain } from './row';

/** Thrown by a decision on a resource on which another command has a pending step. The transaction is rolled back. */
export class PendingStepOfOther extends Error {
  override readonly name = 'PendingStepOfOther';

  constructor(readonly commandId: string) {
    super(`the command ${commandId} has a pending step`);
  }
}

/**
 * Runs an attempt to decide a command. If the attempt finds the pending step of another command, finishes that one and tries again. This
 * ends, because each repetition follows the end of a command that was accepted before; it is also limited by the deadline of a request.
 *
 * @throws the error of `attempt`; service_unavailable if another command can't be finished until the deadline
 */
export async function afterPendingSteps<T>(
  sql: Sql,
  executors: Executors,
  tenant: Tenant,
  attempt: () => Promise<T>,
): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof PendingStepOfOther)) throw error;
      await repeatUntilDeadline(() => finishOther(sql, executors, tenant, error.commandId));
    }
  }
}

/** Executes the command with the pending step to its end. Its rejection, if any, is the result of its own request. */
async function finishOther(sql: Sql, executors: Executors, tenant: Tenant, commandId: string): Promise<void> {
  const command = await readCommand(sql, tenant, commandId);
  if (command === null || command.answered) return;
  const execute = executors[command.operation];
  if (execute === undefined) throw new Error(`this release can't execute ${command.operation}`);
  try {
    await execute(command);
  } catch (error) {
    if (!isRejection(error) && !(error instanceof StartAgain)) throw error;
  }
}
