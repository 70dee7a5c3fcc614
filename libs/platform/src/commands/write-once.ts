/** Writes that are one transaction: the command's row, the effect and the answer are committed together. */
import { failpoint } from '../failpoints';
import type { Sql, Tx } from '../postgres';
import { type Answer, findCommand, insertCommand, type Reply, replayOf, type WriteRequest } from './row';

/** Until the effect tells what it made, in the same transaction. */
const INITIAL_STATE = { resourceId: 'pending', body: null, traceparent: null };

/**
 * A write that is one transaction of one service: `effect` runs at most once for a key, in the transaction that
 * remembers its answer. The twin of a racing pair waits for the first and gets its answer.
 *
 * @param replayStatus what a replay answers: 200 where the contract says so, else the first status
 * @throws ApiError idempotency_conflict, or whatever `effect` rejects with (then nothing is remembered)
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
      const [mine] = key === null ? [] : await insertCommand(tx, request, key, INITIAL_STATE);
      if (key !== null && mine === undefined) {
        const row = await findCommand(tx, request, key);
        return row === undefined ? null : replayOf(row, replayStatus);
      }
      const { status, body, resourceId } = await effect(tx);
      const text = JSON.stringify(body);
      if (mine !== undefined) {
        await tx`
          update commands set answer_status = ${status}, answer_body = ${text}, resource_id = ${resourceId}
          where id = ${mine.id}`;
      }
      failpoint('write.before-commit', request.operation);
      return { status, text, replayed: false };
    });
    failpoint('write.after-commit', request.operation);
    // Null: the first of the pair was refused between our two statements, so the key is free again.
    if (reply !== null) return reply;
  }
}
