/** Sends several statements of one transaction in one round trip, or as one statement. */
import { join } from 'sql-template-tag';
import type { Tx } from './connect';
import { type Fragment, identifier, type Row, type Statement } from './statement';

/**
 * Waits for the results of statements of one transaction that were sent together, in one round trip.
 *
 * @throws the error of the first statement in the list that failed: later ones fail only because the transaction is aborted
 * @example const [row, now] = await allInOrder([lockRow(tx, id), databaseNow(tx)]);
 */
export async function allInOrder<const T extends readonly unknown[]>(
  sent: T,
): Promise<{ -readonly [Index in keyof T]: Awaited<T[Index]> }> {
  const outcomes = await Promise.allSettled(sent);
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  return outcomes.map((outcome) => (outcome as PromiseFulfilledResult<unknown>).value) as never;
}

/**
 * Executes statements that write as parts of one statement. Each part reads the rows as they were before the statement,
 * and no two parts may write the same row.
 *
 * @example await writeTogether(tx, [tx`insert into facts …`, tx`update claims …`]);
 */
export async function writeTogether(tx: Tx, parts: readonly Fragment[]): Promise<void> {
  if (parts.length > 0) await statementOf(tx, parts);
}

/** Returns the statement of {@link writeTogether}, which has at least one part. */
export function statementOf(tx: Tx, parts: readonly Fragment[]): Statement<Row[]> {
  const named = parts.map((part, index) => tx`${identifier(`part_${index}`)} as (${part})`);
  return tx`with ${join(named)} select`;
}
