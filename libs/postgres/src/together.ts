/** Executes several writes as one statement. */
import { join } from 'sql-template-tag';
import type { Tx } from './connect';
import { type Fragment, identifier, type Query } from './statement';

/**
 * Returns a query that executes writes as parts of one statement; null if there are none. Each part reads the rows as they were before the
 * statement, and no two parts may write the same row.
 *
 * @example await writeTogether(tx, [tx`insert into facts …`, tx`update claims …`]);
 */
export function writeTogether(tx: Tx, parts: readonly Fragment[]): Query<unknown> | null {
  if (parts.length === 0) return null;
  const named = parts.map((part, index) => tx`${identifier(`part_${index}`)} as (${part})`);
  return tx`with ${join(named)} select`;
}
