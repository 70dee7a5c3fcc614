/**
 * The search of operators for a name or reference by its beginning: any case, and without regard to spaces and marks. The columns that are
 * searched have an index over the same expression as {@link searchedText}.
 */
import { constantText, type Db, type Fragment } from './statement';

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
  return db`translate(lower(${column} collate "C"), ${constantText(`'${MARKS}'`)}, '')`;
}

/** What operators search for: the beginning of a text, or amounts in minor units. */
export interface Search {
  /** null: nothing is found by its text. */
  readonly range: SearchRange | null;
  readonly amounts: readonly number[];
  /** Maximum number of rows. */
  readonly limit: number;
}

/** A table that is searched: its text and amount columns, when its rows were created, and the columns of a found row, `id` among them. */
export interface SearchedTable {
  readonly table: Fragment;
  readonly text: Fragment;
  readonly amount: Fragment;
  readonly createdAt: Fragment;
  readonly columns: Fragment;
  /** A condition that the rows fulfil; by default none. */
  readonly condition?: Fragment;
}

/** Returns the newest rows of a project whose text is in the range, or that have one of the amounts, with `created_at`. */
export function findByTextOrAmount<Found extends object>(
  db: Db,
  projectId: string,
  { table, text: column, amount, createdAt, columns: found, condition = db`true` }: SearchedTable,
  { range, amounts, limit }: Search,
): PromiseLike<Found[]> {
  const text = searchedText(db, column);
  const columns = db`${found}, ${createdAt} as created_at`;
  return db<Found[]>`
    select * from (
      (select ${columns} from ${table}
        where project_id = ${projectId} and ${condition} and ${text} >= ${range?.from ?? ''} and ${text} < ${range?.to ?? ''}
        order by ${text} limit ${limit})
      union
      (select ${columns} from ${table}
        where project_id = ${projectId} and ${condition} and ${amount} = any(${[...amounts]}::bigint[])
        order by ${createdAt} desc, id desc limit ${limit})
    ) found order by created_at desc, id desc limit ${limit}`;
}
