/**
 * The order of commands on one resource. A command with several steps marks its resource with a pending step. A command that finds the
 * pending step of another one finishes that one first, by the same function that its own request executes.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Tenant } from '@carecover/domain';
import { type Command, isRejection } from '@carecover/domain';
import type { Sql } from '@carecover/postgres';
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
 * ends, because each repetition follows the end of another command that was accepted before.
 *
 * @param untilMs until when the other commands' steps are repeated while a service is unavailable, in epoch milliseconds. By default they are
 *   executed once, because the calling code repeats the whole attempt
 * @throws the error of `attempt`; service_unavailable if another command can't be finished
 */
export async function afterPendingSteps<T>(
  sql: Sql,
  executors: Executors,
  tenant: Tenant,
  attempt: () => Promise<T>,
  untilMs = 0,
): Promise<T> {
  const ended = new Set<string>();
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof PendingStepOfOther)) throw error;
      if (ended.has(error.commandId))
        throw new Error(`the pending step of the command ${error.commandId} remains after its end`);
      ended.add(error.commandId);
      await repeatUntilDeadline(() => finishOther(sql, executors, tenant, error.commandId), untilMs);
    }
  }
}

/**
 * The pauses in milliseconds for which a command waits for the process that executes the other one, before it executes the other one too. Many
 * commands on one resource then make few superfluous calls to other services.
 */
const PAUSES_MS = [10, 20, 40, 80];

/** Reads a command when it has ended, or after all pauses. Returns null if it has ended. */
async function readAfterPauses(sql: Sql, tenant: Tenant, commandId: string): Promise<Command | null> {
  for (let pause = 0; ; pause++) {
    const command = await readCommand(sql, tenant, commandId);
    if (command === null || command.answered) return null;
    const pauseMs = PAUSES_MS[pause];
    if (pauseMs === undefined) return command;
    await sleep(pauseMs * (0.5 + Math.random()));
  }
}

/** Executes the command with the pending step to its end. Its rejection, if any, is the result of its own request. */
async function finishOther(sql: Sql, executors: Executors, tenant: Tenant, commandId: string): Promise<void> {
  const command = await readAfterPauses(sql, tenant, commandId);
  if (command === null) return;
  const execute = executors[command.operation];
  if (execute === undefined) throw new Error(`this release can't execute ${command.operation}`);
  try {
    await execute(command);
  } catch (error) {
    if (!isRejection(error) && !(error instanceof StartAgain)) throw error;
  }
}
