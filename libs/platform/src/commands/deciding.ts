/** The transactions in which a command's workflow decides it: under the row's lock, once, refused or answered. */

import { ApiError } from '../api-error';
import { failpoint } from '../failpoints';
import { allInOrder, type Sql, type Tx } from '../postgres';
import { type Answer, answerCommand, type Command, dropCommand, lockCommand } from './row';

// Asynchronous functions, which send at once: a query by itself is sent only when it is awaited, and so too late for its place.
async function setSavepoint(tx: Tx): Promise<void> {
  await tx`savepoint before_effect`;
}

async function undoEffect(tx: Tx): Promise<void> {
  await tx`rollback to savepoint before_effect`;
}

/**
 * A deciding step of a command: one transaction that commits what `effect` does, without an answer yet (a later step asks
 * another service to record it first). What `effect` throws as an ApiError rolls its work back and forgets the command, in
 * one commit. Where the command was answered already, `effect` does not run and the result is null.
 *
 * @param fetch sends the statements that need no more of the command than its id, such as further locks: they go out right
 *   behind the command's lock, in the same round trip, and each sees what was committed before that lock was granted. What it
 *   finds is for `effect` to reject: an ApiError of its own would leave the command pending
 * @throws CommandGone where the row is no longer there; ApiError as `effect` throws it
 */
export async function decideCommand<T, Fetched = undefined>(
  sql: Sql,
  commandId: string,
  effect: (tx: Tx, command: Command, fetched: Fetched) => Promise<T>,
  fetch?: (tx: Tx) => Promise<Fetched>,
): Promise<T | null> {
  const decided = await sql.begin(async (tx) => {
    const [{ answered, ...command }, , fetched] = await allInOrder([
      lockCommand(tx, commandId),
      setSavepoint(tx),
      fetch?.(tx),
    ]);
    const { operation } = command;
    if (answered) return { result: null, operation };
    failpoint('command.deciding', operation);
    try {
      const result = await effect(tx, command, fetched as Fetched);
      failpoint('command.before-commit', operation);
      return { result, operation };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      await allInOrder([undoEffect(tx), dropCommand(tx, commandId)]);
      return error;
    }
  });
  if (decided instanceof ApiError) throw decided;
  failpoint('command.after-commit', decided.operation);
  return decided.result as T | null;
}

/**
 * The committing transaction of a command: facts, new state, answer and events in one. Repeated after a crash, it finds
 * its answer and does nothing; rejections as in {@link decideCommand}.
 *
 * @throws CommandGone where the row is no longer there; ApiError as `effect` throws it
 */
export async function commitCommand<Fetched = undefined>(
  sql: Sql,
  commandId: string,
  effect: (tx: Tx, command: Command, fetched: Fetched) => Promise<Answer>,
  fetch?: (tx: Tx) => Promise<Fetched>,
): Promise<void> {
  const answered = async (tx: Tx, command: Command, fetched: Fetched) => {
    await answerCommand(tx, commandId, await effect(tx, command, fetched));
  };
  await decideCommand(sql, commandId, answered, fetch);
}
