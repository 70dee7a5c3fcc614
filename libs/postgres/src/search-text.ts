/**
 * The search of operators for a name or reference by its beginning: any case, and without regard to spaces and marks. The columns that are
 * searched have an index over the same expression as {@link searchedText}.
 */
import type { Db, Fragment } from './statement';

/** The marks that are ignored. The indexes of the services' migrations have the same text. */
const MARKS = ' -_/.:#';

/** The smallest and the first too large text of those that begin with the searched one, by the order of bytes (collation C). */
export interface SearchRange {
  readonly from: string;
  readonly to: string;
}

/**
 * Returns the range of texts that begin with the typed one; null if it has fewer than two letters or digits, which would find too much.
 *
 * @example searchRange('inv 2025') // { from: 'inv2025', to: 'inv2025\u{10ffff}' }
 */
export function searchRange(typed: string): SearchRange | null {
  const ignored = new Set(MARKS);
  const from = [...typed.trim()]
    .filter((character) => !ignored.has(character))
    .join('')
    .replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  return [...from].length < 2 ? null : { from, to: `${from}\u{10ffff}` };
}

/**
 * Returns the SQL of a column as it is searched, which equals the expression of its index.
 *
 * @example db`where project_id = ${tenant} and ${searchedText(db, db`payer_reference`)} >= ${from}`
 */
export function searchedText(db: Db, column: Fragment): Fragment {
  return db`translate(lower(${column} collate "C"), ' -_/.:#', '')`;
}
