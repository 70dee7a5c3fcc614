/** Writes of one transaction: the command row, the effect and the response are committed together. */
import { failpoint } from '../failpoints';
import type { Sql, Tx } from '../postgres';
import {
  type Answer,
  answerInserted,
  findCommand,
  insertUnanswered,
  type Reply,
  replayOf,
  type WriteRequest,
} from './row';

/**
 * Executes a write in one transaction, at most once per idempotency key. A concurrent request with the same key waits and gets the
 * same response.
 *
 * @param replayStatus the HTTP status of the response to a repeated request
 * @param effect the write; an error rolls back the command row too, so the key can be used again
 * @throws ApiError idempotency_conflict, or the error of `effect`
 */
export async function writeOnce(
  sql: Sql,
  request: WriteRequest,
  replayStatus: number,
  effect: (tx: Tx) => Promise<Answer & { readonly resourceId: string }>,
): Promise<Reply> {
  const key = request.idempotencyKey;
  for (;;) {
    const reply = await sql.begin(async (tx) => {
      const [mine] = key === null ? [] : await insertUnanswered(tx, request, key);
      if (key !== null && mine === undefined) {
        const row = await findCommand(tx, request, key);
        return row === undefined ? null : replayOf(row, replayStatus);
      }
      const { status, body, resourceId } = await effect(tx);
      const text = JSON.stringify(body);
      if (mine !== undefined) await answerInserted(tx, mine.id, { status, text, resourceId });
      failpoint('write.before-commit', request.operation);
      return { status, text, replayed: false };
    });
    failpoint('write.after-commit', request.operation);
    // `reply` is null if a concurrent request had the key and was rejected before it was read. The key is then unused again.
    if (reply !== null) return reply;
  }
}
