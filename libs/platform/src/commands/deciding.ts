/** Transactions that decide a command exactly once, under the lock of the command row. */
import type { OperationId } from '@carecover/contract';
import { ApiError } from '../api-error';
import { failpoint } from '../failpoints';
import { allInOrder, type Sql, type Tx } from '../postgres';
import type { Tenant } from '../tenant';
import { type Answer, answerCommand, type Command, dropCommand, lockCommand, type Reply } from './row';

// An SQL statement is sent only when it is awaited. `setSavepoint` and `undoEffect` are async functions, so that a call sends the statement
// at once.
async function setSavepoint(tx: Tx): Promise<void> {
  await tx`savepoint before_effect`;
}

async function undoEffect(tx: Tx): Promise<void> {
  await tx`rollback to savepoint before_effect`;
}

/** The outcome of a decision: its result, or the API error with which the command was rejected. A rejected command's row is deleted. */
type Outcome<T> = { readonly result: T } | ApiError;

/**
 * Locks the command row, and runs `attempt` unless the row has a response. The lock, the savepoint and the statements of `fetch` share one
 * round trip.
 */
async function decide<T, Fetched>(
  sql: Sql,
  tenant: Tenant,
  commandId: string,
  savepoint: ((tx: Tx) => Promise<void>) | null,
  fetch: ((tx: Tx) => Promise<Fetched>) | undefined,
  attempt: (tx: Tx, command: Command, fetched: Fetched) => Promise<Outcome<T>>,
): Promise<{ readonly operation: OperationId; readonly result: T | null }> {
  const { operation, outcome } = await sql.begin(async (tx) => {
    const [command, , fetched] = await allInOrder([
      lockCommand(tx, tenant, commandId),
      savepoint?.(tx),
      fetch?.(tx),
    ]);
    const outcome = command.answered ? { result: null } : await attempt(tx, command, fetched as Fetched);
    return { operation: command.operation, outcome };
  });
  if (outcome instanceof ApiError) throw outcome;
  return { operation, result: outcome.result };
}

/**
 * Decides a command in one transaction and stores no response: a later step must first record the decision in another service. If
 * `effect` throws an ApiError, its changes are rolled back and the command is deleted in the same commit.
 *
 * @param fetch sends statements that need only the command's ID, such as locks, in the round trip of the command's lock. The statements
 *   read what was committed before the lock was granted. `fetch` must not throw an ApiError, which would leave the command pending
 * @returns the result of `effect`; null if the command has a response already, in which case `effect` does not run
 * @throws StartAgain if the command was rejected before this call; the ApiError that `effect` throws
 */
export async function decideCommand<T, Fetched = undefined>(
  sql: Sql,
  tenant: Tenant,
  commandId: string,
  effect: (tx: Tx, command: Command, fetched: Fetched) => Promise<T>,
  fetch?: (tx: Tx) => Promise<Fetched>,
): Promise<T | null> {
  const attempt = async (tx: Tx, command: Command, fetched: Fetched) => {
    failpoint('command.deciding', command.operation);
    try {
      const result = await effect(tx, command, fetched);
      failpoint('command.before-commit', command.operation);
      return { result };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      await allInOrder([undoEffect(tx), dropCommand(tx, tenant, commandId, error)]);
      return error;
    }
  };
  const { operation, result } = await decide(sql, tenant, commandId, setSavepoint, fetch, attempt);
  failpoint('command.after-commit', operation);
  return result;
}

/** The writes of a decision. They must not throw an ApiError: that would leave the command pending. */
export type Writes<T> = (tx: Tx) => Promise<T>;

/**
 * Decides a command like {@link decideCommand}, for a decision that is complete before its first write. No savepoint is needed, because
 * a rejection has nothing to roll back. This function has no failpoints: the code that calls it sets them.
 *
 * @param decision returns the writes. It reads, and writes only what belongs to a rejection, immediately before it throws the ApiError
 * @returns the result of the writes; null if the command has a response already, in which case `decision` does not run
 * @throws StartAgain if the command was rejected before this call; the ApiError that `decision` throws
 */
export async function decideThenWrite<T, Fetched = undefined>(
  sql: Sql,
  tenant: Tenant,
  commandId: string,
  decision: (tx: Tx, command: Command, fetched: Fetched) => Writes<T> | Promise<Writes<T>>,
  fetch?: (tx: Tx) => Promise<Fetched>,
): Promise<T | null> {
  const attempt = async (tx: Tx, command: Command, fetched: Fetched) => {
    let write: Writes<T>;
    try {
      write = await decision(tx, command, fetched);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      await dropCommand(tx, tenant, commandId, error);
      return error;
    }
    return { result: await write(tx) };
  };
  return (await decide(sql, tenant, commandId, null, fetch, attempt)).result;
}

/**
 * Decides a command and stores its response in the same transaction as facts and events. A call for a command that already has a response,
 * such as a repeated call after a crash, has no effect. If `effect` throws an ApiError, the command is deleted, as in
 * {@link decideCommand}.
 *
 * @param effect writes facts and events, and returns the response
 * @returns the response; null if the command has one already
 * @throws StartAgain if the command was rejected before this call; the ApiError that `effect` throws
 */
export async function commitCommand<Fetched = undefined>(
  sql: Sql,
  tenant: Tenant,
  commandId: string,
  effect: (tx: Tx, command: Command, fetched: Fetched) => Promise<Answer>,
  fetch?: (tx: Tx) => Promise<Fetched>,
): Promise<Reply | null> {
  const answered = async (tx: Tx, command: Command, fetched: Fetched) =>
    answerCommand(tx, tenant, commandId, await effect(tx, command, fetched));
  return decideCommand(sql, tenant, commandId, answered, fetch);
}
