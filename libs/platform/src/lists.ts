/** List operations: newest first by ID. IDs sort by creation time, so a cursor stays valid while rows are added. */
import { PAGE_SIZE, parseInstant } from '@carecover/contract';
import { ApiError } from './api-error';
import { type Db, type Fragment, identifier } from './postgres';
import type { Caller } from './tenant';

export interface ListQuery {
  readonly limit?: number | string;
  readonly starting_after?: string;
  readonly created_after?: string;
  readonly created_before?: string;
}

export interface ListResult<T> {
  readonly object: 'list';
  readonly data: readonly T[];
  readonly has_more: boolean;
}

/**
 * Reads one page of the rows that the caller can read from `table`, which has the columns id, project_id and created_at.
 *
 * @param filter further conditions, each starting with `and`; the row of the cursor need not meet them
 * @param within conditions that define the list, such as the parent of its rows; the row of the cursor must meet them
 * @throws ApiError validation_failed if the cursor is not the ID of a row of this list
 */
export async function listPage<Row extends { id: string }, T>(
  db: Db,
  caller: Caller,
  table: string,
  query: ListQuery,
  filter: Fragment,
  toResource: (row: Row) => T,
  within: Fragment = db``,
): Promise<ListResult<T>> {
  const limit = Number(query.limit ?? PAGE_SIZE.default);
  const { tenant, resourceIds } = caller;
  const visible = resourceIds === null ? db`` : db`and id = any(${[...resourceIds]})`;
  if (query.starting_after !== undefined) {
    const known = await db`
      select 1 from ${identifier(table)} where id = ${query.starting_after} and project_id = ${tenant} ${within} ${visible}`;
    if (known.length === 0)
      throw new ApiError(
        'validation_failed',
        '/query/starting_after must be the ID of a resource in this list',
      );
  }
  const rows = (await db`
    select * from ${identifier(table)}
    where project_id = ${tenant} ${within} ${visible}
    ${query.starting_after === undefined ? db`` : db`and id < ${query.starting_after}`}
    ${query.created_after === undefined ? db`` : db`and created_at > ${new Date(parseInstant(query.created_after))}`}
    ${query.created_before === undefined ? db`` : db`and created_at < ${new Date(parseInstant(query.created_before))}`}
    ${filter}
    order by id desc limit ${limit + 1}`) as unknown as Row[];
  return { object: 'list', data: rows.slice(0, limit).map(toResource), has_more: rows.length > limit };
}
