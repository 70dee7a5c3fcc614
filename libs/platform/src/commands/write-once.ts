/** Writes that one transaction executes: the command row, the effect and the response are committed together. */
import { unavailable } from '../api-error';
import { failpoint } from '../failpoints';
import { newId } from '../ids';
import { allInOrder, type Fragment, type Sql, statementOf, type Tx } from '../postgres';
import {
  type Answer,
  answerInserted,
  findCommand,
  insertUnanswered,
  MAX_ATTEMPTS,
  type Reply,
  replayOf,
  type WriteRequest,
} from './row';

/** What a write returns: the status and body of its response, the resource's ID, and the SQL writes that are sent with the response. */
export interface Written extends Answer {
  readonly resourceId: string;
  /** SQL fragments of writes that are executed in one statement with the write of the response, in the round trip of the commit. */
  readonly writes?: readonly Fragment[];
}

/**
 * Executes a write in one transaction, at most once per idempotency key. A concurrent request with the same key waits and gets the
 * same response.
 *
 * @param replayStatus the HTTP status of the response to a repeated request
 * @param effect the write. It receives the ID of the command, which is new for each command also without an idempotency key. An error rolls back the command row too, so the key can be used again
 * @param fetch sends statements that need only the request, such as locks, in the round trip of the command row. The statements are also
 *   executed for a repeated request, so `fetch` must not throw an ApiError
 * @throws ApiError idempotency_conflict if the key was used for another request; service_unavailable if a command with the key is pending;
 *   the error that `effect` throws
 */
export async function writeOnce<Fetched = undefined>(
  sql: Sql,
  request: WriteRequest,
  replayStatus: number,
  effect: (tx: Tx, fetched: Fetched, commandId: string) => Promise<Written>,
  fetch?: (tx: Tx) => Promise<Fetched>,
): Promise<Reply> {
  const key = request.idempotencyKey;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const reply = await sql.begin(async (tx) => {
      const [inserted, fetched] = await allInOrder([
        key === null ? [] : insertUnanswered(tx, request, key).execute(),
        fetch?.(tx),
      ]);
      const [mine] = inserted;
      if (key !== null && mine === undefined) {
        const row = await findCommand(tx, request, key);
        return row === undefined ? null : replayOf(row, replayStatus);
      }
      const {
        status,
        body,
        resourceId,
        writes = [],
      } = await effect(tx, fetched as Fetched, mine?.id ?? newId('cmd_'));
      const text = JSON.stringify(body);
      const answer =
        mine === undefined
          ? []
          : [answerInserted(tx, request.caller.tenant, mine.id, { status, text, resourceId })];
      const last = [...writes, ...answer];
      // The last statement is not awaited, so that it is sent with the commit. If it fails, the commit fails too.
      if (last.length > 0) void statementOf(tx, last).execute();
      failpoint('write.before-commit', request.operation);
      return { status, text, replayed: false };
    });
    failpoint('write.after-commit', request.operation);
    // `reply` is null if a concurrent request inserted the key first and was rejected before its row could be read: the key is then unused.
    // It is also null while another release executes the operation in several steps.
    if (reply !== null) return reply;
  }
  throw unavailable('The response to this request');
}
