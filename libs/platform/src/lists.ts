/** List operations: newest first by ID. IDs sort by creation time, so a cursor stays valid while rows are added. */
import { type IdentifierKind, identifierPrefixes, PAGE_SIZE, parseInstant } from '@carecover/contract';
import { ApiError } from './api-error';
import { type Db, type Fragment, identifier } from './postgres';
import type { Caller, Tenant } from './tenant';

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

/** The source of a list: a table or view with the columns id, project_id and created_at, and the kind of its IDs. */
export interface Listed {
  readonly table: string;
  readonly kind: IdentifierKind;
}

/** Selects the rows that have `value` in the column; all rows if `value` is undefined. */
export interface ColumnFilter {
  readonly column: string;
  readonly value: string | undefined;
}

/** The difference between the time in an ID and created_at up to which `platform.id_matches_time` returns true. */
const ID_SLACK_MS = 60_000;

/** Returns the smallest ID that can be generated at the instant `atMs`. */
function earliestId(kind: IdentifierKind, atMs: number): string {
  return identifierPrefixes[kind] + Math.max(0, atMs).toString(16).padStart(12, '0');
}

/** Returns the query's conditions on created_at, and the bounds on the ID that follow from them if the ID matches created_at. */
function creationTime(db: Db, kind: IdentifierKind, query: ListQuery) {
  const after = query.created_after === undefined ? null : parseInstant(query.created_after);
  const before = query.created_before === undefined ? null : parseInstant(query.created_before);
  if (after === null && before === null) return null;
  return {
    exact: db`
      ${after === null ? db`` : db`and created_at > ${new Date(after)}`}
      ${before === null ? db`` : db`and created_at < ${new Date(before)}`}`,
    ofIds: db`
      ${after === null ? db`` : db`and id > ${earliestId(kind, after - ID_SLACK_MS)}`}
      ${before === null ? db`` : db`and id < ${earliestId(kind, before + ID_SLACK_MS)}`}`,
  };
}

/**
 * Returns the conditions of filters, and the column by which rows are ordered before their ID. The first filter is written as a range,
 * so that PostgreSQL uses the index of its column: for an equality, the generic plan expects many rows and scans in the order of IDs.
 */
function conditionsOf(db: Db, filters: readonly (ColumnFilter | Fragment)[]) {
  let conditions = db``;
  let order = db``;
  let isFirst = true;
  for (const filter of filters) {
    if (!('column' in filter)) {
      conditions = db`${conditions} ${filter}`;
    } else if (filter.value !== undefined) {
      const column = identifier(filter.column);
      const matches = isFirst
        ? db`and ${column} >= ${filter.value} and ${column} <= ${filter.value}`
        : db`and ${column} = ${filter.value}`;
      conditions = db`${conditions} ${matches}`;
      if (isFirst) order = db`${column},`;
      isFirst = false;
    }
  }
  return { conditions, order };
}

/**
 * Reads one page of the rows that the caller can read from a table.
 *
 * By creation time, rows are found by bounds on their IDs, which contain a time. The few rows whose ID differs from created_at by
 * more than a minute have an index of their own: their command waited for Temporal, or the clocks differ.
 *
 * @param filters values of columns, the most selective first, each with an index whose last columns are this one and `id desc`, and
 *   conditions, each starting with `and`; the row of the cursor need not meet them
 * @param within conditions that define the list, such as the parent of its rows; the row of the cursor must meet them
 * @throws ApiError validation_failed if the cursor is not the ID of a row of this list
 */
export async function listPage<Row extends { id: string }, T>(
  db: Db,
  caller: Caller,
  listed: Listed,
  query: ListQuery,
  filters: readonly (ColumnFilter | Fragment)[],
  toResource: (row: Row) => T,
  within: Fragment = db``,
): Promise<ListResult<T>> {
  const limit = Number(query.limit ?? PAGE_SIZE.default);
  const table = identifier(listed.table);
  const { tenant, resourceIds } = caller;
  const visible = resourceIds === null ? db`` : db`and id = any(${[...resourceIds]})`;
  if (query.starting_after !== undefined) {
    const known = await db`
      select 1 from ${table} where id = ${query.starting_after} and project_id = ${tenant} ${within} ${visible}`;
    if (known.length === 0)
      throw new ApiError(
        'validation_failed',
        '/query/starting_after must be the ID of a resource in this list',
      );
  }
  const { conditions, order } = conditionsOf(db, filters);
  const selectWhere = (time: Fragment, filtered: Fragment, orderBy: Fragment) => db`
    select * from ${table}
    where project_id = ${tenant} ${within} ${visible}
      ${query.starting_after === undefined ? db`` : db`and id < ${query.starting_after}`} ${time} ${filtered}
    order by ${orderBy} id desc limit ${limit + 1}`;
  // `is true` excludes the filters' indexes, with which a plan for any values would read all rows of a value to find the few of other times.
  const unindexed = db`and (true ${conditions}) is true`;
  const time = creationTime(db, listed.kind, query);
  const statement =
    time === null
      ? selectWhere(db``, conditions, order)
      : db`
        (${selectWhere(db`${time.ofIds} ${time.exact} and platform.id_matches_time(id, created_at)`, conditions, order)})
        union all
        (${selectWhere(db`${time.exact} and not platform.id_matches_time(id, created_at)`, unindexed, db``)})
        order by id desc limit ${limit + 1}`;
  const rows = (await statement) as unknown as Row[];
  return { object: 'list', data: rows.slice(0, limit).map(toResource), has_more: rows.length > limit };
}

/** A resource with its project, as found for an operator who has only its ID or reference. */
export interface Found {
  readonly id: string;
  readonly tenant: Tenant;
}

/** Finds a resource by its ID in all projects. For the operator's CLI only. */
export async function findOfAnyProject(
  db: Db,
  { table }: Pick<Listed, 'table'>,
  id: string,
): Promise<Found | undefined> {
  const [found] = await db<Found[]>`
    select id, project_id as tenant from ${identifier(table)} where id = ${id}`;
  return found;
}

/** Finds resources of the projects by a column that is unique in a project. For the operator's CLI only. */
export async function findByReference(
  db: Db,
  { table, column }: Pick<Listed, 'table'> & Pick<ColumnFilter, 'column'>,
  tenants: readonly Tenant[],
  reference: string,
): Promise<Found[]> {
  return [
    ...(await db<Found[]>`
      select id, project_id as tenant from ${identifier(table)}
      where project_id = any(${[...tenants]}) and ${identifier(column)} = ${reference} order by id`),
  ];
}
