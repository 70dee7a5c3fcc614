/** Transactions that decide a command exactly once, under the lock of the command row. */
import type { OperationId } from '@carecover/contract';
import type { Tenant } from '@carecover/domain';
import { ApiError, type Command } from '@carecover/domain';
import type { Query, Sql, Tx } from '@carecover/postgres';
import { failpoint } from '@carecover/process';
import { dropCommand, type JsonResponse, lockCommand, type StoredResponse, storeResponse } from './row';

/** Returns the query of what a decision reads and locks before it begins. */
export type Fetch<Fetched> = (tx: Tx) => Query<Fetched>;

/** The outcome of a decision: its result, or the API error with which the command was rejected. A rejected command's row is deleted. */
type Outcome<T> = { readonly result: T } | ApiError;

/**
 * Locks the command row, and runs `attempt` unless the row has a response. One pipeline has the lock, then the savepoint if there is one, and
 * then the query of `fetch`.
 */
async function decide<T, Fetched>(
  sql: Sql,
  tenant: Tenant,
  commandId: string,
  savepoint: ((tx: Tx) => Query<unknown>) | null,
  fetch: Fetch<Fetched> | undefined,
  attempt: (tx: Tx, command: Command, fetched: Fetched) => Promise<Outcome<T>>,
): Promise<{ readonly operation: OperationId; readonly result: T | null }> {
  const { operation, outcome } = await sql.begin(async (tx) => {
    const [command, , fetched] = await tx.pipeline([
      lockCommand(tx, tenant, commandId),
      savepoint?.(tx) ?? null,
      fetch?.(tx) ?? null,
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
 * @param fetch returns a query that needs only the command's ID, such as locks. It is executed after the command's lock is granted, in the
 *   same pipeline. It must not be rejected with an ApiError, which would leave the command pending
 * @returns the result of `effect`; null if the command has a response already, in which case `effect` does not run
 * @throws StartAgain if the command was rejected before this call; the ApiError that `effect` throws
 */
export async function decideCommand<T, Fetched = undefined>(
  sql: Sql,
  tenant: Tenant,
  commandId: string,
  effect: (tx: Tx, command: Command, fetched: Fetched) => Promise<T>,
  fetch?: Fetch<Fetched>,
): Promise<T | null> {
  const attempt = async (tx: Tx, command: Command, fetched: Fetched) => {
    failpoint('command.deciding', command.operation);
    try {
      const result = await effect(tx, command, fetched);
      failpoint('command.before-commit', command.operation);
      return { result };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      await tx.pipeline([tx`rollback to savepoint before_effect`, dropCommand(tx, tenant, commandId, error)]);
      return error;
    }
  };
  const setSavepoint = (tx: Tx) => tx`savepoint before_effect`;
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
  fetch?: Fetch<Fetched>,
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
  effect: (tx: Tx, command: Command, fetched: Fetched) => Promise<StoredResponse>,
  fetch?: Fetch<Fetched>,
): Promise<JsonResponse | null> {
  const answered = async (tx: Tx, command: Command, fetched: Fetched) =>
    storeResponse(tx, tenant, commandId, await effect(tx, command, fetched));
  return decideCommand(sql, tenant, commandId, answered, fetch);
}
