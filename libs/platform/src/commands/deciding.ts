/** The transactions in which a command's workflow decides it: under the row's lock, once, refused or answered. */
import { failpoint } from '../failpoints';
import type { Sql, Tx } from '../postgres';
import { Refusal } from '../refusal';
import { type Answer, answerCommand, type Command, dropCommand, lockCommand } from './row';

/**
 * A deciding step of a command: one transaction that commits what `effect` does, without an answer yet (a later step asks
 * another service to record it first). What `effect` throws as a Refusal rolls its work back and forgets the command, in
 * one commit. Where the command was answered already, `effect` does not run and the result is null.
 *
 * @throws CommandGone where the row is no longer there; Refusal as `effect` throws it
 */
export async function decideCommand<T>(
  sql: Sql,
  commandId: string,
  effect: (tx: Tx, command: Command) => Promise<T>,
): Promise<T | null> {
  const decided = await sql.begin(async (tx) => {
    const { answered, ...command } = await lockCommand(tx, commandId);
    const { operation } = command;
    if (answered) return { result: null, operation };
    failpoint('command.deciding', operation);
    try {
      const result = await tx.savepoint((inner) => effect(inner, command));
      failpoint('command.before-commit', operation);
      return { result, operation };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      await dropCommand(tx, commandId);
      return error;
    }
  });
  if (decided instanceof Refusal) throw decided;
  failpoint('command.after-commit', decided.operation);
  return decided.result as T | null;
}

/**
 * The committing transaction of a command: facts, new state, answer and events in one. Repeated after a crash, it finds
 * its answer and does nothing; refusals as in {@link decideCommand}.
 *
 * @throws CommandGone where the row is no longer there; Refusal as `effect` throws it
 */
export async function commitCommand(
  sql: Sql,
  commandId: string,
  effect: (tx: Tx, command: Command) => Promise<Answer>,
): Promise<void> {
  await decideCommand(sql, commandId, async (tx, command) => {
    await answerCommand(tx, commandId, await effect(tx, command));
  });
}
