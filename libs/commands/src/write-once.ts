/** Writes that one transaction executes: the command row, the effect and the response are committed together. */
import { newId, unavailable } from '@carecover/domain';
import { type Fragment, isDeadlock, type Transactions, type Tx, writeTogether } from '@carecover/postgres';
import { failpoint } from '@carecover/process';
import type { Fetch } from './deciding';
import {
  findCommand,
  insertUnanswered,
  type JsonResponse,
  MAX_ATTEMPTS,
  replayOf,
  type StoredResponse,
  storeResponseOfInserted,
  type WriteRequest,
} from './row';

/** What a write returns: the status and body of its response, the resource's ID, and the writes that are executed with that of the response. */
export interface Written extends StoredResponse {
  readonly resourceId: string;
  /** SQL fragments of writes that are executed in one statement with the write of the response. */
  readonly writes?: readonly Fragment[];
}

/**
 * Executes a write in one transaction, at most once per idempotency key. A concurrent request with the same key waits and gets the
 * same response.
 *
 * @param replayStatus the HTTP status of the response to a repeated request
 * @param effect the write, which is repeated after a deadlock. It receives the ID of the command, which is new for each command also without an idempotency key. An error rolls back the command row too, so the key can be used again
 * @param fetch returns a query that needs only the request, such as locks. It is executed after the insert of the command row, in the same
 *   pipeline, also for a repeated request, so it must not be rejected with an ApiError
 * @throws ApiError idempotency_conflict if the key was used for another request; service_unavailable if a command with the key is pending, or after
 *   repeated deadlocks; the error that `effect` throws
 */
export async function writeOnce<Fetched = undefined>(
  sql: Transactions,
  request: WriteRequest,
  replayStatus: number,
  effect: (tx: Tx, fetched: Fetched, commandId: string) => Promise<Written>,
  fetch?: Fetch<Fetched>,
): Promise<JsonResponse> {
  const key = request.idempotencyKey;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const write = sql.begin(async (tx) => {
      const [inserted, fetched] = await tx.pipeline([
        key === null ? null : insertUnanswered(tx, request, key),
        fetch?.(tx) ?? null,
      ]);
      const mine = inserted?.[0];
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
      const response =
        mine === undefined
          ? []
          : [storeResponseOfInserted(tx, request.caller.tenant, mine.id, { status, text, resourceId })];
      await writeTogether(tx, [...writes, ...response]);
      failpoint('write.before-commit', request.operation);
      return { status, text, replayed: false };
    });
    const sent = await write.catch((error: unknown) => {
      if (!isDeadlock(error)) throw error;
      return null;
    });
    failpoint('write.after-commit', request.operation);
    // `sent` is null if a concurrent request inserted the key first and was rejected before its row could be read: the key is then unused.
    // It is also null after a deadlock, and while another release executes the operation in several steps.
    if (sent !== null) return sent;
  }
  throw unavailable('The response to this request');
}
