/** The transactions that decide a command, once, under the lock of its row. */
import { ApiError } from '../api-error';
import { failpoint } from '../failpoints';
import { allInOrder, type Sql, type Tx } from '../postgres';
import { type Answer, answerCommand, type Command, dropCommand, lockCommand } from './row';

// Async functions, because the client sends a statement when it is awaited: these two must be sent in their order.
async function setSavepoint(tx: Tx): Promise<void> {
  await tx`savepoint before_effect`;
}

async function undoEffect(tx: Tx): Promise<void> {
  await tx`rollback to savepoint before_effect`;
}

/**
 * Decides a command in one transaction, without a response yet: a later step must first record it in another service. If `effect`
 * throws an ApiError, its changes are rolled back and the command is deleted in the same commit.
 *
 * @param fetch sends statements that need only the command's ID, such as locks, in the round trip of the command's lock. They see
 *   what was committed before that lock was granted. It must not throw an ApiError, which would leave the command pending
 * @returns the result of `effect`; null if the command has a response already, in which case `effect` does not run
 * @throws CommandGone if the command was rejected before; ApiError of `effect`
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
 * Decides a command and stores its response in the same transaction as facts and events. Repeated after a crash, it finds the
 * response and does nothing. Rejections as in {@link decideCommand}.
 *
 * @param effect writes facts and events, and returns the response
 * @throws CommandGone if the command was rejected before; ApiError of `effect`
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
